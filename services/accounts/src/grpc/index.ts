export { type AccountsClientSettings, accountsClientSettings } from '../settings.ts';
export { type RemoteAccountsOptions, remoteAccounts, remoteUsers } from './client.ts';
export { connectAccounts, connectUsers } from './connect.ts';
export { type AccountsServer, type AccountsServerOptions, accountsServer } from './server.ts';
export { readTlsFiles, type TlsFiles, type TlsSettings } from './tls.ts';
