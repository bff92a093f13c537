import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLogger, WorkError } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { UsersSettings } from '../settings.ts';
import { openUsers } from '../sqlite/users.ts';
import { setupAnnouncement } from './signing-up.ts';

const PUBLIC_URL = 'https://calls.example.com';
const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' };
const origin = { ip: '203.0.113.7', userAgent: 'a test' };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'users-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** As a process that starts. */
async function started(settings: Partial<UsersSettings> = {}) {
  const lines: { level: string; url?: string }[] = [];
  const log = makeLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) });
  const users = openUsers({
    file: join(dir, 'accounts.sqlite'),
    settings: { SIGN_UP: 'closed', PUBLIC_URL, ...settings },
    log,
  });
  await setupAnnouncement(users, PUBLIC_URL, log).start();
  return { users, lines };
}

describe('the setup link', () => {
  it('is logged at each start while there is no account, and lets the first user in; then never again', async () => {
    for (let start = 0; start < 2; start += 1) {
      const { users, lines } = await started();
      expect(lines).toEqual([
        expect.objectContaining({
          url: expect.stringMatching(/^https:\/\/calls\.example\.com\/sign-up#token=[\w-]{43}$/),
        }),
      ]);
      await users.close();
    }
    const { users, lines } = await started();
    const link = lines[0]?.url?.split('token=')[1] ?? '';
    expect((await users.signUp({ ...person, link, origin })).session.role).toBe('owner');
    await users.close();
    const later = await started();
    expect(later.lines).toEqual([]);
    await later.users.close();
  });

  it('is logged also where everybody may sign up after confirming an email, and not where there is nothing to prove', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'calls@example.com' };
    const confirming = await started({ SIGN_UP: 'open', ...mail });
    const link = confirming.lines[0]?.url?.split('token=')[1] ?? '';
    expect((await confirming.users.signUp({ ...person, link, origin })).session.role).toBe('owner');
    await confirming.users.close();
    const again = await started({ SIGN_UP: 'open', ...mail });
    expect(again.lines).toEqual([]);
    await again.users.close();
    rmSync(join(dir, 'accounts.sqlite'));
    const open = await started({ SIGN_UP: 'open' });
    expect(open.lines).toEqual([]);
    await open.users.close();
  });

  it('is logged when the store answers, also when it was away at the start', async () => {
    const { users } = await started();
    const links: string[] = [];
    const warnings: string[] = [];
    const write = (line: string) => {
      const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
      if (url === undefined) warnings.push(msg);
      else links.push(url);
    };
    let asked = 0;
    const installation: typeof users.installation = async () => {
      asked += 1;
      if (asked <= 3)
        throw new WorkError({ kind: 'transient', code: 'accounts_unavailable', message: 'No connection.' });
      return users.installation();
    };
    const makeSetupLink: typeof users.makeSetupLink = (...given) => users.makeSetupLink(...given);
    const announcement = setupAnnouncement(
      { installation, makeSetupLink },
      PUBLIC_URL,
      makeLogger('test', 'info', { write }),
      1,
    );
    await announcement.start();
    await until(
      () => links,
      ([link]) => link?.includes('/sign-up#token=') === true,
    );
    expect({ asked, warnings }).toEqual({ asked: 4, warnings: [expect.stringContaining('no setup link yet')] });
    await announcement.stop(new AbortController().signal);
    await users.close();
  });
});
