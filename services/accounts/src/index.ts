export * from './accounts.ts';
export { cachedAccounts } from './cached-accounts.ts';
export { makeApiKey } from './records.ts';
export { type UsersSettings, usersSettings } from './settings.ts';
export { openAccounts } from './sqlite/accounts.ts';
export { accountIdsIn, accountsInSqlite } from './sqlite/copy.ts';
export { openUsers } from './sqlite/users.ts';
export type { UsersOptions } from './users/make-users.ts';
export { setupAnnouncement } from './users/signing-up.ts';
