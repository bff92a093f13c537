import type { Account, Accounts, SignedIn, Users, UsersOptions, UsersSettings } from '@call-analytics/accounts';
import { makeLogger, WorkError } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe } from '@jest/globals';
import { deletion } from './users/deletion.suite.ts';
import { invitations } from './users/invitations.suite.ts';
import { keys } from './users/keys.suite.ts';
import { limits } from './users/limits.suite.ts';
import { links } from './users/links.suite.ts';
import { members } from './users/members.suite.ts';
import { passwords } from './users/passwords.suite.ts';
import { secrets } from './users/secrets.suite.ts';
import { sessions } from './users/sessions.suite.ts';
import { signingIn } from './users/signing-in.suite.ts';
import { signingUp } from './users/signing-up.suite.ts';

/** Users that are tested, the accounts that they belong to, and what is needed around them. */
interface OpenedUsers {
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

const SETTINGS: UsersSettings = { SIGN_UP: 'closed', PUBLIC_URL: 'https://calls.example.com' };

/** What every adapter of `Users` must do. */
export function usersContract(name: string, makeStore: () => Promise<UsersStore>): void {
  describe(`users contract: ${name}`, () => {
    let store: UsersStore;
    let opened: OpenedUsers;
    const once = remembering();
    const open = (settings: Partial<UsersSettings> = {}, { mail = true } = {}) =>
      store.open({
        settings: { ...SETTINGS, ...settings },
        log: makeLogger('test', 'trace', { write: (line) => fixture.log.push(line) }),
        clock: { now: () => fixture.now },
        passwords: (own) => ({
          hash: (password) => {
            fixture.hashed += 1;
            return once(`hash ${password}`, () => own.hash(password));
          },
          verify: async (request) => {
            fixture.hashed += 1;
            const isRight = await once(`verify ${request.hash} ${request.password}`, () => own.verify(request));
            await fixture.meanwhile();
            return isRight;
          },
        }),
        sendMail: mail
          ? async (each) => {
              fixture.mails.push(each);
            }
          : null,
      });
    const fixture: UsersFixture = {
      get users() {
        return opened.users;
      },
      get accounts() {
        return opened.accounts;
      },
      now: new Date(0),
      mails: [],
      hashed: 0,
      meanwhile: async () => {},
      log: [],
      async reopen(settings, more) {
        await opened.close();
        opened = await open(settings, more);
      },
      pass(ms) {
        fixture.now = new Date(fixture.now.getTime() + ms);
      },
      owner: (email = 'ada@example.com') =>
        opened.users.signUp({ name: 'Ada', email, password: PASSWORD, accountName: 'Acme', origin: HERE }),
      async joined(owner, role, email) {
        const { token } = await opened.users.invite({ actor: actorOf(owner), role });
        fixture.pass(1_000);
        return opened.users.signUp({ name: 'Somebody', email, password: PASSWORD, invitation: token, origin: ORIGIN });
      },
      async stranger(email = 'eve@other.example') {
        const { account } = await opened.accounts.createAccount({ name: 'Other' });
        const { token } = await opened.users.claim({ accountId: account.id });
        return opened.users.signUp({ name: 'Eve', email, password: PASSWORD, invitation: token, origin: ORIGIN });
      },
    };
    beforeEach(async () => {
      Object.assign(fixture, {
        now: new Date('2026-05-01T10:00:00.123Z'),
        mails: [],
        hashed: 0,
        log: [],
        meanwhile: async () => {},
      });
      store = await makeStore();
      opened = await open();
    });
    afterEach(async () => {
      await opened.close();
      await store.remove();
    });

    signingUp(fixture);
    signingIn(fixture);
    sessions(fixture);
    passwords(fixture);
    limits(fixture);
    members(fixture);
    keys(fixture);
    invitations(fixture);
    links(fixture);
    deletion(fixture);
    secrets(fixture);
  });
}

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

/**
 * Real hashes, each made and compared once: a password takes 50 ms of a processor, and these tests use the same few
 * hundreds of times.
 */
function remembering() {
  const answers = new Map<string, Promise<unknown>>();
  return <T>(question: string, ask: () => Promise<T>): Promise<T> => {
    const known = answers.get(question) ?? ask();
    answers.set(question, known);
    return known as Promise<T>;
  };
}
