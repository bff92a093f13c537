import { served } from './users/served.fixture.ts';
import { sqliteUsers } from './users/sqlite.fixture.ts';
import { usersContract } from './users.suite.ts';

usersContract('gRPC, with SQLite behind it', async () => served(await sqliteUsers()));
