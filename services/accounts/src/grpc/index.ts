export { accountsClientSettings } from '../settings.ts';
export { connectAccounts, connectUsers, remoteAccounts, remoteUsers } from './client.ts';
export { readTlsFiles } from './protocol.ts';
export { type AccountsServer, accountsServer } from './server.ts';
