import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLogger } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openUsers } from '../sqlite/users.ts';
import { senderOf } from './links.ts';
import { type SmtpServer, smtpServer } from './smtp-server.fixture.ts';

const settings = {
  SIGN_UP: 'closed',
  PUBLIC_URL: 'https://calls.example.com',
  MAIL_FROM: 'Call Analytics <calls@example.com>',
} as const;
const origin = { ip: '203.0.113.7', userAgent: 'a test', local: true };
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple', origin };

describe('a mail to reset a password', () => {
  let dir: string;
  let server: SmtpServer;
  let log: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'users-'));
    server = await smtpServer();
    log = '';
  });
  afterEach(async () => {
    await server.close();
    rmSync(dir, { recursive: true });
  });

  /** Closing waits for what is being sent. */
  async function requestReset(url: string, email = ada.email): Promise<void> {
    const lines = makeLogger('test', 'trace', { write: (line) => (log += line) });
    const users = openUsers({
      file: join(dir, 'accounts.sqlite'),
      settings: { ...settings, SMTP_URL: url },
      log: lines,
    });
    expect((await users.installation()).resetByMail).toBe(true);
    await users.signUp(ada);
    await users.requestPasswordReset({ email, origin });
    await users.close();
  }

  it('goes through the mail server to the user, from the sender of the settings, with a link', async () => {
    await requestReset(server.url);
    const mail = server.received.join('').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(mail).toMatch(/^From: Call Analytics <calls@example\.com>\r$/m);
    expect(mail).toMatch(/^To: ada@example\.com\r$/m);
    expect(mail).toMatch(/https:\/\/calls\.example\.com\/password-reset#token=[\w-]{43}\r\n/);
    expect(log).toBe('');
  });

  it('is not sent to who is no user', async () => {
    await requestReset(server.url, 'nobody@example.com');
    expect(server.received).toEqual([]);
  });

  it.each([
    ['does not take it', async () => (await restart('550 no such mailbox')).url],
    ['does not let us in', async () => server.url.replace('//', '//somebody:a-secret-of-mail@')],
    ['is not there', async () => 'smtp://127.0.0.1:1'],
  ])('whose server %s is told to the operator and not to the person, without a secret', async (_, url) => {
    const address = await url();
    await requestReset(address);
    expect(log).toContain('an email to reset a password could not be sent');
    expect(log).not.toMatch(/a-secret-of-mail|token=|c29tZWJvZHk/);
  });

  async function restart(answer: string): Promise<SmtpServer> {
    await server.close();
    server = await smtpServer(answer);
    return server;
  }
});

describe('the settings of mail', () => {
  it('without a server send none', () => {
    expect(senderOf({ SIGN_UP: 'closed' })).toBeNull();
  });

  it('with a server need a sender', () => {
    const { MAIL_FROM: _, ...without } = settings;
    expect(() => senderOf({ ...without, SMTP_URL: 'smtp://mail.example.com' })).toThrow('MAIL_FROM is not set');
  });
});
