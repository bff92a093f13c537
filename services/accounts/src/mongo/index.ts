export { openMongoAccounts } from './accounts.ts';
export { connectAccountsStore } from './connect.ts';
