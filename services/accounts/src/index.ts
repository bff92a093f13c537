export * from './accounts.ts';
export { openAccounts } from './sqlite/accounts.ts';
