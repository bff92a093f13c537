import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Accounts } from '@call-analytics/accounts';

/** Accounts that are tested, and what is needed around them. */
export interface OpenedAccounts {
  accounts: Accounts;
  /** Closes everything down to the store, as a restart does, and opens it again. */
  reopen(): Promise<Accounts>;
  /** Closes it and removes what it left. */
  close(): Promise<void>;
}

/** What a test of the contract works with. */
export interface AccountsFixture {
  accounts: Accounts;
  now: Date;
  reopen(): Promise<void>;
  accountWithKey(name?: string): Promise<AccountWithKey>;
}
type AccountWithKey = Awaited<ReturnType<Accounts['createAccount']>> & Awaited<ReturnType<Accounts['createKey']>>;

/**
 * @param open everything down to the store
 * @param remove what the store left
 */
export async function reopening(
  open: () => Promise<Omit<OpenedAccounts, 'reopen'>>,
  remove: () => Promise<void>,
): Promise<OpenedAccounts> {
  let opened = await open();
  return {
    accounts: opened.accounts,
    async reopen() {
      await opened.close();
      opened = await open();
      return opened.accounts;
    },
    async close() {
      await opened.close();
      await remove();
    },
  };
}

/** @param open opens the accounts in a database file */
export async function accountsInFolder(open: (file: string) => Accounts): Promise<OpenedAccounts> {
  const dir = await mkdtemp(join(tmpdir(), 'accounts-'));
  const opened = async () => {
    const accounts = open(join(dir, 'accounts.sqlite'));
    return { accounts, close: () => accounts.close() };
  };
  return reopening(opened, () => rm(dir, { recursive: true }));
}
