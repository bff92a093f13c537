export { openMongoAccounts } from './accounts.ts';
