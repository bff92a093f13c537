export { accountsClientSettings } from '../settings.ts';
export { connectAccounts, connectUsers, remoteAccounts, remoteUsers } from './client.ts';
export { type AccountsServer, accountsServer } from './server.ts';
export { readTlsFiles } from './tls.ts';
