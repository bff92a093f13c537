export * from './accounts.ts';
export { setupAnnouncement } from './announce-setup.ts';
export { type CachedAccountsOptions, cachedAccounts } from './cached-accounts.ts';
export { makeApiKey } from './records.ts';
export { type UsersSettings, usersSettings } from './settings.ts';
export { openAccounts } from './sqlite/accounts.ts';
export { openUsers } from './sqlite/users.ts';
export type { UsersOptions } from './users/make-users.ts';
export * from './users.ts';
