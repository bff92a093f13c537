import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { makeLogger } from './log.ts';

const SECRET = 'nobody may read this';

function logged(write: (log: ReturnType<typeof makeLogger>) => void, level: 'info' | 'debug' = 'info') {
  const lines: string[] = [];
  write(makeLogger('test', level, { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
}

const FORBIDDEN = [
  'authorization',
  'Authorization',
  'proxy-authorization',
  'apiKey',
  'api_key',
  'x-api-key',
  'OPENAI_API_KEY',
  'token',
  'accessToken',
  'secret',
  'clientSecret',
  'password',
  'cookie',
  'set-cookie',
  'text',
  'transcript',
  'summary',
];

describe('a log line', () => {
  it('carries its level by name, the service, the time in UTC and what was bound', () => {
    const [line] = logged((log) => log.child({ callId: 'call_1' }).warn({ attempt: 2 }, 'this try failed'));
    expect(line).toEqual({
      level: 'warn',
      service: 'test',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      callId: 'call_1',
      attempt: 2,
      msg: 'this try failed',
    });
  });

  it('below the level is not written', () => {
    expect(logged((log) => log.debug('detail'))).toEqual([]);
    expect(logged((log) => log.debug('detail'), 'debug')).toHaveLength(1);
  });

  it.each(FORBIDDEN)('never holds %s, however deep and wherever it comes from', (name) => {
    const depths = fc.array(fc.constantFrom('object', 'array', 'error'), { maxLength: 6 });
    fc.assert(
      fc.property(depths, (depth) => {
        const nested = depth.reduce<Record<string, unknown>>(wrap, { [name]: SECRET });
        const lines = logged((log) => {
          log.info(nested, 'logged');
          log.info({ err: nested }, 'logged as an error');
          log.child(nested).info('bound');
          log.child({}).child(nested).child({}).info('bound deeper');
        });
        expect(lines).toHaveLength(4);
        expect(JSON.stringify(lines)).not.toContain(SECRET);
      }),
      { numRuns: 30 },
    );
  });

  it('tells an error with its name, its stack, its cause and what it carries', () => {
    class Refused extends Error {
      override name = 'Refused';
      status = 401;
      request = { headers: { authorization: SECRET, host: 'api.example' } };
    }
    const [line] = logged((log) =>
      log.error({ err: new Refused('no', { cause: new Error('the key is wrong') }) }, 'failed'),
    );
    expect(line.err).toMatchObject({
      type: 'Refused',
      status: 401,
      request: { headers: { authorization: '[redacted]', host: 'api.example' } },
    });
    expect(line.err.stack).toContain('the key is wrong');
    expect(line.err.stack).toContain('log.test.ts');
  });

  it('shows dates and survives circles', () => {
    const circle: Record<string, unknown> = { at: new Date(0) };
    circle.again = circle;
    const [line] = logged((log) => log.info({ circle }));
    expect(line.circle.at).toBe('1970-01-01T00:00:00.000Z');
  });

  it('leaves the object that was logged as it was', () => {
    const settings = { apiKey: SECRET };
    logged((log) => log.info(settings));
    expect(settings.apiKey).toBe(SECRET);
  });
});

function wrap(inner: Record<string, unknown>, kind: string): Record<string, unknown> {
  if (kind === 'array') return { list: [inner] };
  if (kind === 'error') return { cause: Object.assign(new Error('vendor'), { inner }) };
  return { inner };
}

describe('a process that is killed', () => {
  it('has written every line that it said', () => {
    const code = `
      const { makeLogger } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)});
      const log = makeLogger('test');
      for (let n = 0; n < 200; n += 1) log.info({ n }, 'said');
      process.kill(process.pid, 'SIGKILL');`;
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    expect(signal).toBe('SIGKILL');
    expect(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).n),
    ).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });
});
