import { join } from 'node:path';
import { openAccounts, openUsers, usersSettings } from '@call-analytics/accounts';
import { createGateway, gatewaySettings } from '@call-analytics/api-gateway';
import { folderAudioStore } from '@call-analytics/audio-store';
import { Calls, openSqliteCallStore } from '@call-analytics/calls';
import { makeLogger, makeMetrics, readSettings, startParts } from '@call-analytics/service-kit';
import { obey } from '../harness/child.ts';

// The gateway alone in a process, with what it has in production: keys checked, each request logged and counted. No
// other service runs.

await obey<{ dataDir: string; settings: Record<string, string> }, null, string>(
  async ({ dataDir, settings: given }) => {
    const log = makeLogger('api-gateway', 'info');
    const metrics = makeMetrics({ processMetrics: true });
    const calls = new Calls(openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') }));
    const accounts = openAccounts({ file: join(dataDir, 'accounts.sqlite') });
    const users = openUsers({ file: join(dataDir, 'accounts.sqlite'), settings: readSettings(usersSettings, {}), log });
    const audioStore = folderAudioStore({ dir: join(dataDir, 'audio') });
    const settings = readSettings(gatewaySettings, { PORT: '0', HOST: '127.0.0.1', ...given });
    const gateway = createGateway({ calls, accounts, users, audioStore, metrics, settings, log });
    await startParts([gateway], log);
    return async () => gateway.url();
  },
);
