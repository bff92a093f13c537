export { type AccountsClientSettings, accountsClientSettings } from '../settings.ts';
export { remoteAccounts } from './client.ts';
export { connectAccounts, connectUsers } from './connect.ts';
export { type AccountsServer, type AccountsServerOptions, accountsServer } from './server.ts';
export { readTlsFiles, type TlsFiles, type TlsSettings } from './tls.ts';
export { remoteUsers } from './users/client.ts';
export type { RemoteAccountsOptions } from './wire.ts';
