import { join } from 'node:path';
import { readSettings } from '@call-analytics/service-kit';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import { accountsClientSettings } from '../settings.ts';
import { openAccounts } from '../sqlite/accounts.ts';

const localSettings = z.object({ DATA_DIR: z.string().default('./data').describe('a folder') });

type Environment = Record<string, string | undefined>;

/** @returns the accounts that the environment names: those of the service at ACCOUNTS_URL, or those in DATA_DIR. @throws SettingsError, WorkError */
export async function openAccountsOf(env: Environment): Promise<Accounts> {
  if (isLocal(env)) return openAccounts({ file: join(readSettings(localSettings, env).DATA_DIR, 'accounts.sqlite') });
  const settings = readSettings(accountsClientSettings, env);
  // Loaded when it is needed: a command on this machine does not wait for it.
  const { readTlsFiles, remoteAccounts } = await import('../grpc/index.ts');
  const { ACCOUNTS_URL: url, ACCOUNTS_SECRET: secret, ACCOUNTS_DEADLINE: deadlineMs } = settings;
  return remoteAccounts({ url, secret, deadlineMs, tls: readTlsFiles(settings) });
}

/** @returns what to look at when those accounts cannot be reached */
export function whatToCheck(env: Environment): string {
  if (isLocal(env)) return `Check that the folder ${env.DATA_DIR || './data'} (DATA_DIR) can be written to and has room, then try again.`;
  return `Check that the accounts service runs at ${env.ACCOUNTS_URL} (ACCOUNTS_URL) and has the same ACCOUNTS_SECRET, then try again.`;
}

function isLocal({ ACCOUNTS_URL }: Environment): boolean {
  return ACCOUNTS_URL === undefined || ACCOUNTS_URL === '';
}
