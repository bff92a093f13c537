export { type AccountsClientSettings, accountsClientSettings } from '../settings.ts';
export { type RemoteAccountsOptions, remoteAccounts } from './client.ts';
export { connectAccounts } from './connect.ts';
export { type AccountsServer, type AccountsServerOptions, accountsServer } from './server.ts';
export { readTlsFiles, type TlsFiles, type TlsSettings } from './tls.ts';
