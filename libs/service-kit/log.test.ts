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
    const [line] = logged((log) => log.child({ callId: 'call_1' }).warn({ attempt: 2 }, 'this attempt failed'));
    expect(line).toEqual({
      level: 'warn',
      service: 'test',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      callId: 'call_1',
      attempt: 2,
      msg: 'this attempt failed',
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

describe('the log of a process', () => {
  function linesOf(code: string) {
    const makeLoggerAt = JSON.stringify(new URL('./log.ts', import.meta.url).href);
    const start = `const { makeLogger } = await import(${makeLoggerAt}); const log = makeLogger('test');`;
    const args = ['--input-type=module', '-e', start + code];
    const { stdout, signal, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const lines = stdout.split('\n').filter((line) => line !== '');
    return { ended: signal ?? status, said: lines.map((line) => JSON.parse(line).n) };
  }
  const EVERY = Array.from({ length: 1_000 }, (_, n) => n);
  const SAY_ALL = `for (let n = 0; n < ${EVERY.length}; n += 1) log.info({ n }, 'said');`;
  const KILL = `process.kill(process.pid, 'SIGKILL');`;

  it('has every line of the turns before a killed process ended', () => {
    const said = linesOf(`${SAY_ALL} setImmediate(() => { log.info({ n: 'last turn' }); ${KILL} });`);
    expect(said).toEqual({ ended: 'SIGKILL', said: EVERY });
  });

  it('has a warning or an error, and what was said before it, when the process is killed right after', () => {
    for (const level of ['warn', 'error', 'fatal'])
      expect(linesOf(`${SAY_ALL} log.${level}({ n: 'bad' }); ${KILL}`)).toEqual({
        ended: 'SIGKILL',
        said: [...EVERY, 'bad'],
      });
  });

  it('has every line of a process that exits', () => {
    expect(linesOf(`${SAY_ALL} process.exit(3);`)).toEqual({ ended: 3, said: EVERY });
  });
});
