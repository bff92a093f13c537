import { sqliteUsers } from './users/sqlite.ts';
import { usersContract } from './users.suite.ts';

usersContract('SQLite', sqliteUsers);
