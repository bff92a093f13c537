import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smtpServer } from '@call-analytics/accounts/users/smtp-server.fixture.ts';
import { makeLogger } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { expect, it } from '@jest/globals';
import { readStandaloneSettings, startStandalone } from './standalone.ts';

it('links in mails name the port that is in use when PORT is 0 and PUBLIC_URL is not set', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'standalone-'));
  const mail = await smtpServer();
  const settings = readStandaloneSettings({
    PORT: '0',
    DATA_DIR: dir,
    SIGN_UP: 'open',
    SMTP_URL: mail.url,
    MAIL_FROM: 'calls@example.com',
    OPENAI_API_KEY: 'not used',
  });
  const standalone = await startStandalone(settings, makeLogger('standalone', 'silent'));
  try {
    const { status } = await fetch(`${standalone.url}/app/sign-ups`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: standalone.url },
      body: JSON.stringify({ email: 'ada@example.com' }),
    });
    expect(status).toBe(202);
    await until(async () => mail.received.length > 0, 'the mail is sent');
    expect(mail.received[0]?.replaceAll('=\r\n', '')).toContain(
      `${standalone.url}/sign-up#token=`.replaceAll('=', '=3D'),
    );
  } finally {
    await standalone.stop();
    await mail.close();
    await rm(dir, { recursive: true });
  }
});
