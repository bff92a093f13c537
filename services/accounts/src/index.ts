export * from './accounts.ts';
export { makeApiKey } from './api-key.ts';
export { openAccounts } from './sqlite/accounts.ts';
