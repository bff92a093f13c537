import { readSettings } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { gatewaySettings, requirePublicUrl } from './settings.ts';

describe('the settings of the gateway', () => {
  it('are these unless the environment says otherwise', () => {
    expect(readSettings(gatewaySettings, {})).toEqual({
      PORT: 8080,
      HOST: '127.0.0.1',
      PUBLIC_URL: undefined,
      TRUSTED_PROXIES: 0,
      MAX_UPLOAD_BYTES: 2 * 2 ** 30,
      UPLOAD_IDLE_TIMEOUT: 60_000,
      UPLOAD_MIN_RATE: 4_096,
      UPLOADS_PER_ACCOUNT: 64,
    });
  });

  it('demand PUBLIC_URL where others can reach the service', () => {
    const read = (env: Record<string, string>) => readSettings(gatewaySettings.superRefine(requirePublicUrl), env);
    for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'calls.intern']) {
      expect(() => read({ HOST })).toThrow(`PUBLIC_URL is not set: HOST is ${HOST}, so it must be set`);
      expect(read({ HOST, PUBLIC_URL: 'https://calls.example.com' }).PUBLIC_URL).toBe('https://calls.example.com');
    }
    for (const HOST of ['127.0.0.1', '::1', 'localhost', '127.1.2.3']) expect(read({ HOST }).HOST).toBe(HOST);
  });

  it.each([
    [{ PORT: '70000' }, 'PORT is "70000"'],
    [{ MAX_UPLOAD_BYTES: 'lots' }, 'MAX_UPLOAD_BYTES is "lots"'],
    [{ PUBLIC_URL: 'calls.example.com' }, 'PUBLIC_URL is "calls.example.com"'],
    [{ PUBLIC_URL: 'https://example.com/calls' }, 'PUBLIC_URL is "https://example.com/calls"'],
    [{ TRUSTED_PROXIES: '11' }, 'TRUSTED_PROXIES is "11"'],
    [{ UPLOAD_IDLE_TIMEOUT: '60' }, 'UPLOAD_IDLE_TIMEOUT is "60"'],
    [{ UPLOAD_MIN_RATE: '4kb/s' }, 'UPLOAD_MIN_RATE is "4kb/s"'],
    [{ UPLOADS_PER_ACCOUNT: '0' }, 'UPLOADS_PER_ACCOUNT is "0"'],
  ])('are refused by name: %j', (env, message) => {
    expect(() => readSettings(gatewaySettings, env)).toThrow(message);
  });
});
