import { sqliteUsers } from './users/sqlite.fixture.ts';
import { usersContract } from './users.suite.ts';

usersContract('SQLite', sqliteUsers);
