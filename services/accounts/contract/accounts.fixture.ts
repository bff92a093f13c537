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
