import { served } from './users/served.ts';
import { sqliteUsers } from './users/sqlite.ts';
import { usersContract } from './users.suite.ts';

usersContract('gRPC, with SQLite behind it', async () => served(await sqliteUsers()));
