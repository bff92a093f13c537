export { openMongoAccounts } from './accounts.ts';
export { COLLECTIONS } from './database.ts';
export { openMongoUsers } from './users.ts';
