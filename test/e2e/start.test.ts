import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import { Installation } from './installation.fixture.ts';

describe('starting the service', () => {
  let installation: Installation;
  afterEach(() => installation.remove());

  it('refuses to start without a usable speech engine and names the ways out', async () => {
    installation = await Installation.make({});
    const refused = expect(installation.start()).rejects;
    await refused.toThrow(/OPENAI_API_KEY[\s\S]*OPENAI_BASE_URL[\s\S]*npm run whisper -- fetch/);
    expect(await installation.ended()).toBe(1);
  });

  it('refuses to start with a wrong setting and names the variable, the value and what is allowed', async () => {
    installation = await Installation.make({
      OPENAI_API_KEY: 'sk-test',
      PORT: '80a',
      FAILED_AUDIO_RETENTION: 'tomorrow',
      LOG_LEVEL: 'loud',
    });
    await expect(installation.start()).rejects.toThrow(
      /PORT is "80a"[\s\S]*FAILED_AUDIO_RETENTION is "tomorrow"[\s\S]*LOG_LEVEL is "loud"/,
    );
  });

  it('is ready only when it can work, and says so to a probe', async () => {
    installation = await Installation.make({ OPENAI_API_KEY: 'sk-test' });
    await installation.start();
    const ready = await fetch(`${installation.url}/readyz`);
    expect(ready.status).toBe(200);
    expect((await fetch(`${installation.url}/healthz`)).status).toBe(200);
  });

  it('refuses to listen for others without PUBLIC_URL', async () => {
    installation = await Installation.make({ OPENAI_API_KEY: 'sk-test', HOST: '0.0.0.0' });
    await expect(installation.start()).rejects.toThrow(/PUBLIC_URL is not set: HOST is 0\.0\.0\.0/);
  });

  it('logs a link for the first user, who is made by it and by nothing else', async () => {
    installation = await Installation.make({ OPENAI_API_KEY: 'sk-test', TRUSTED_PROXIES: '1' });
    await installation.start();
    const announced = () => installation.log.find(({ msg }) => String(msg).startsWith('there is no account yet'));
    const { url } = (await until(announced, (line) => line !== undefined)) ?? {};
    const link = new URLSearchParams(new URL(String(url)).hash.slice(1)).get('token');
    expect(String(url)).toContain(`${installation.url}/sign-up#`);
    const signUp = (more: object) =>
      fetch(`${installation.url}/app/users`, {
        method: 'POST',
        headers: { origin: installation.url, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery', ...more }),
      });
    expect((await signUp({})).status).toBe(403);
    expect((await signUp({ link })).status).toBe(201);
  });

  it('keeps what it stores from other users of the machine, also what an earlier version left open to them', async () => {
    installation = await Installation.make({ OPENAI_API_KEY: 'sk-test' });
    const { dataDir } = installation;
    chmodSync(dataDir, 0o755);
    for (const name of ['calls.sqlite', 'accounts.sqlite']) {
      writeFileSync(join(dataDir, name), '');
      chmodSync(join(dataDir, name), 0o644);
    }
    await installation.start();
    await installation.client();
    const open = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .concat('.')
      .filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(readdirSync(dataDir)).toContain('calls.sqlite-wal');
  });

  it('has its metrics on the port for operators alone', async () => {
    installation = await Installation.make({ OPENAI_API_KEY: 'sk-test', OPS_PORT: '0' });
    const { ops } = await installation.start();
    expect(await (await fetch(`${ops}/metrics`)).text()).toContain('http_request_duration_seconds');
    expect(await (await fetch(`${ops}/readyz`)).json()).toEqual({ status: 'ready' });
    expect(await (await fetch(`${installation.url}/metrics`)).text()).not.toContain('http_request_duration_seconds');
  });
});
