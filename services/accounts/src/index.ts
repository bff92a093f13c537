export * from './accounts.ts';
export { announceSetup } from './announce-setup.ts';
export { makeApiKey } from './api-key.ts';
export { type CachedAccountsOptions, cachedAccounts } from './cached/cached-accounts.ts';
export { type UsersSettings, usersSettings } from './settings.ts';
export { openAccounts } from './sqlite/accounts.ts';
export { openUsers } from './sqlite/users.ts';
export type { UsersOptions } from './users/make-users.ts';
export * from './users.ts';
