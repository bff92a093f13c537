import type { Account, Accounts, SignedIn, Users, UsersOptions, UsersSettings } from '@call-analytics/accounts';
import { WorkError } from '@call-analytics/service-kit';

/** Users that are tested, the accounts that they belong to, and what is needed around them. */
export interface OpenedUsers {
  users: Users;
  accounts: Accounts;
  /** Closes it, but for the store itself. */
  close(): Promise<void>;
}

/** Where they are kept, for as long as one test takes. */
export interface UsersStore {
  open(options: UsersOptions): Promise<OpenedUsers>;
  remove(): Promise<void>;
}

/** Nobody's password, so that the log can be searched for it. */
export const PASSWORD = 'correct horse battery staple';
export const ORIGIN = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0 (a test)' };
/** On the machine that the installation runs on. */
export const HERE = { ...ORIGIN, local: true };

/** What a test of the contract works with. */
export interface UsersFixture {
  users: Users;
  accounts: Accounts;
  now: Date;
  /** What was sent. */
  mails: { to: string; subject: string; text: string }[];
  /** How often a password was hashed or compared. */
  hashed: number;
  /** What happens while a password is being compared. */
  meanwhile: () => Promise<unknown>;
  /** Every line, at every level. */
  log: string[];
  /** Closes everything down to the store, as a restart does, and opens it again. */
  reopen(settings?: Partial<UsersSettings>, more?: { mail?: boolean }): Promise<void>;
  /** By the second that passes, so that whoever joins later is later. */
  pass(ms: number): void;
  /** The first user, who owns the first account. */
  owner(email?: string): Promise<SignedIn>;
  /** Somebody whom that owner has invited. */
  joined(owner: SignedIn, role: 'owner' | 'member', email: string): Promise<SignedIn>;
  /** The owner of another account. */
  stranger(email?: string): Promise<SignedIn>;
}

export const actorOf = ({ session: { user, account } }: { session: { user: { id: string }; account: Account } }) => ({
  userId: user.id,
  accountId: account.id,
});

/** What a refusal looks like. */
export const refusal = (code: string) => ({ failure: { kind: 'rejected', code } });

/** What an attempt came to: the error's code, or that it went well. */
export async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'done';
  } catch (error) {
    if (error instanceof WorkError) return error.failure.code;
    throw error;
  }
}
