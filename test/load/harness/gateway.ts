import { join } from 'node:path';
import { openAccounts } from '@call-analytics/accounts';
import { folderAudioStore } from '@call-analytics/audio-store';
import { Child } from './child.ts';
import type { Workspace } from './workspace.ts';

export interface Gateway {
  pid: number;
  port: number;
  dataDir: string;
  accountId: string;
  /** A valid API key of that account. */
  key: string;
  removeRecordings(): Promise<void>;
  stop(): Promise<void>;
}

interface GatewayOptions {
  settings?: Record<string, string>;
  /** Without the account: nobody has used the installation yet. */
  fresh?: boolean;
}

/** A gateway in a process of its own, and an account that may use it. */
export async function startGateway(
  workspace: Workspace,
  { settings = {}, fresh = false }: GatewayOptions = {},
): Promise<Gateway> {
  const dataDir = workspace.folder('gateway');
  const { accountId, key } = fresh ? { accountId: '', key: '' } : await makeAccount(dataDir);
  const main = new URL('../servers/gateway.main.ts', import.meta.url);
  const child = await Child.start<null, string>(workspace, main, { dataDir, settings });
  const audio = folderAudioStore({ dir: join(dataDir, 'audio') });
  return {
    pid: child.pid,
    port: Number(new URL(await child.ask(null)).port),
    dataDir,
    accountId,
    key,
    async removeRecordings() {
      for await (const { key } of audio.list()) await audio.delete(key);
    },
    stop: () => child.stop(),
  };
}

/** @param dataDir of an installation that may be running */
export async function makeAccount(dataDir: string, name = 'Acme'): Promise<{ accountId: string; key: string }> {
  const accounts = openAccounts({ file: join(dataDir, 'accounts.sqlite') });
  const { account } = await accounts.createAccount({ name });
  const { secret } = await accounts.createKey({ accountId: account.id, name: 'bench' });
  await accounts.close();
  return { accountId: account.id, key: secret };
}
