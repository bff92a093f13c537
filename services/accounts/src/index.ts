export * from './accounts.ts';
export { makeApiKey } from './api-key.ts';
export { type CachedAccountsOptions, cachedAccounts } from './cached/cached-accounts.ts';
export { openAccounts } from './sqlite/accounts.ts';
