export { openMongoAccounts } from './accounts.ts';
export { connectAccountsStore, connectUsersStore } from './connect.ts';
export { COLLECTIONS } from './database.ts';
export { openMongoUsers } from './users.ts';
