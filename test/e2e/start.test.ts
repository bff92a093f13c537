import { afterEach, describe, expect, it } from '@jest/globals';
import { Installation } from './installation.ts';

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

  it('has its metrics on the port for operators alone', async () => {
    installation = await Installation.make({ OPENAI_API_KEY: 'sk-test', OPS_PORT: '0' });
    const { ops } = await installation.start();
    expect(await (await fetch(`${ops}/metrics`)).text()).toContain('http_request_duration_seconds');
    expect(await (await fetch(`${ops}/readyz`)).json()).toEqual({ status: 'ready' });
    expect(await (await fetch(`${installation.url}/metrics`)).text()).not.toContain('http_request_duration_seconds');
  });
});
