import type { UsersSettings } from '@call-analytics/accounts';
import { makeLogger } from '@call-analytics/service-kit';
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
import {
  actorOf,
  HERE,
  type OpenedUsers,
  ORIGIN,
  PASSWORD,
  type UsersFixture,
  type UsersStore,
} from './users.fixture.ts';

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
