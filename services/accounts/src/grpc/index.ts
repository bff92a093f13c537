export { accountsClientSettings } from '../settings.ts';
export { remoteAccounts, remoteUsers } from './client.ts';
export { connectAccounts, connectUsers } from './connect.ts';
export { type AccountsServer, accountsServer } from './server.ts';
export { readTlsFiles } from './tls.ts';
