import { fileURLToPath } from 'node:url';
import { ranAlone, ranHere } from '@call-analytics/test/terminal.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { runCli } from './cli.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

const ops = (args: readonly string[], env: Record<string, string> = {}) =>
  ranHere((terminal) => runCli(args, env, terminal));

describe('the command for operators', () => {
  it.each([
    [[], 'No command given'],
    [['dead-letters'], 'Unknown command "dead-letters"'],
    [['dead-letters', 'burn'], 'Unknown command "dead-letters burn"'],
    [['dead-letters', 'show'], 'needs ID'],
    [['dead-letters', 'replay'], 'needs an ID or --all'],
    [['dead-letters', 'replay', 'x', '--all'], 'needs an ID or --all'],
    [['dead-letters', 'replay', 'x', '--limit', '3'], 'takes no --limit'],
    [['dead-letters', 'replay', 'x', 'y'], 'remove "y"'],
    [['dead-letters', 'list', '--all'], 'takes no --all'],
    [['dead-letters', 'list', '--limit', 'many'], '--limit must be'],
    [['dead-letters', 'list', '--color', 'red'], '--color'],
    [['backup'], '"backup" needs FOLDER'],
    [['restore', 'a', 'b'], '"restore": remove "b"'],
    [['backup', 'a', '--all'], '"backup" takes no --all'],
    [['calls', 'list'], 'needs --account ID'],
    [['calls', 'list', '--account', 'acc_1', '--status', 'lost'], '--status must be one of queued'],
    [['calls', 'show'], '"calls show" needs ID'],
    [['calls', 'fail', 'call_1', 'no', 'sound'], 'remove "sound"'],
    [['migrations', 'run'], '"migrations": remove "run"'],
    [['queues', 'all'], '"queues": remove "all"'],
    [['toString'], 'Unknown command "toString"'],
  ])('does not understand %j, shows how it is used and exits with 2', async (args, why) => {
    const { code, out, err } = await ops(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(why);
    expect(err).toContain('npm run ops -- dead-letters list');
  });

  it('is a program, which writes and exits as it is told', async () => {
    expect(await ranAlone(MAIN, ['--help'], {})).toMatchObject({
      code: 0,
      out: expect.stringContaining('dead-letters list'),
      err: '',
    });
    expect(await ranAlone(MAIN, [], {})).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('No command given'),
    });
  });

  it.each([['--help'], ['help'], ['dead-letters', '--help']])('explains itself: %s', async (...args) => {
    const { code, out } = await ops(args);
    expect(code).toBe(0);
    expect(out).toContain('dead-letters replay [ID] [--all]');
  });

  it.each([
    ['is not set', {}],
    ['must be an address', { RABBITMQ_URL: 'http://localhost' }],
  ])('names RABBITMQ_URL when it %s, and exits with 1', async (why, env) => {
    const { code, err } = await ops(['dead-letters', 'list'], env as Record<string, string>);
    expect(code).toBe(1);
    expect(err).toContain(`RABBITMQ_URL`);
    expect(err).toContain(why);
  });

  it('says why the broker cannot be reached, without a stack and without the password', async () => {
    const { code, out, err } = await ops(['dead-letters', 'list'], {
      RABBITMQ_URL: 'amqp://calls:a-password@127.0.0.1:1',
    });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('ECONNREFUSED');
    expect(err).toContain('RABBITMQ_URL');
    expect(err).not.toContain('a-password');
    expect(err).not.toContain('    at ');
  });
});
