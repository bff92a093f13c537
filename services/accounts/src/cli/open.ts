import { join } from 'node:path';
import { makeLogger, readSettings } from '@call-analytics/service-kit';
import { z } from 'zod';
import { accountsClientSettings, usersSettings } from '../settings.ts';
import { openAccounts } from '../sqlite/accounts.ts';
import type { Users } from '../users.ts';
import type { Opened } from './commands.ts';

const localSettings = z.object({ DATA_DIR: z.string().default('./data').describe('a folder') });

const linkSettings = usersSettings.pick({ PUBLIC_URL: true });

type Environment = Record<string, string | undefined>;

/** @returns what the environment names: the accounts and users of the service at ACCOUNTS_URL, or those in DATA_DIR. @throws SettingsError, WorkError */
export async function openOf(env: Environment): Promise<Opened & { close(): Promise<void> }> {
  const publicUrl = readSettings(linkSettings, {
    PUBLIC_URL: env.PUBLIC_URL || `http://127.0.0.1:${env.PORT || 8080}`,
  }).PUBLIC_URL;
  const { accounts, openUsers } = isLocal(env) ? local(env) : await remote(env);
  let opened: Promise<Users> | null = null;
  const users = () => {
    opened ??= openUsers();
    return opened;
  };
  const close = async () => {
    await accounts.close();
    await (await opened)?.close();
  };
  return { accounts, users, publicUrl, close };
}

function local(env: Environment) {
  const file = join(readSettings(localSettings, env).DATA_DIR, 'accounts.sqlite');
  return {
    accounts: openAccounts({ file }),
    // Loaded when they are needed: they take a moment.
    openUsers: async () => {
      const { openUsers } = await import('../sqlite/users.ts');
      return openUsers({
        file,
        settings: readSettings(usersSettings, env),
        sendMail: null,
        log: makeLogger('accounts command', 'silent'),
      });
    },
  };
}

async function remote(env: Environment) {
  const settings = readSettings(accountsClientSettings, env);
  // Loaded when it is needed: a command on this machine does not wait for it.
  const { readTlsFiles, remoteAccounts, remoteUsers } = await import('../grpc/index.ts');
  const { ACCOUNTS_URL: url, ACCOUNTS_SECRET: secret, ACCOUNTS_DEADLINE: deadlineMs } = settings;
  const wire = { url, secret, deadlineMs, tls: readTlsFiles(settings) };
  return { accounts: remoteAccounts(wire), openUsers: async () => remoteUsers(wire) };
}

/** @returns what to look at when those accounts cannot be reached */
export function whatToCheck(env: Environment): string {
  if (isLocal(env))
    return `Check that the directory ${env.DATA_DIR || './data'} (DATA_DIR) is writable and has free space, then try again.`;
  return `Check that the accounts service is running at ${env.ACCOUNTS_URL} (ACCOUNTS_URL) with the same ACCOUNTS_SECRET, then try again.`;
}

function isLocal({ ACCOUNTS_URL }: Environment): boolean {
  return ACCOUNTS_URL === undefined || ACCOUNTS_URL === '';
}
