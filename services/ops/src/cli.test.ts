import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    [['drain'], '"drain" needs SERVICE'],
    [
      ['drain', 'cleanup'],
      '"drain" takes transcription or analysis. The other services have no queue to hold: stop them.',
    ],
    [['resume', 'dispatcher'], '"resume" takes transcription or analysis.'],
    [['s3-users', 'gateway'], '"s3-users": remove "gateway"'],
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

  it('says once that there is no installation, and what is set for half of one', async () => {
    const missing = await ops(['doctor'], { DATA_DIR: '/nowhere/data' });
    expect(missing.code).toBe(1);
    expect(missing.out).toContain('/nowhere/data/calls.sqlite does not exist. Set DATA_DIR to the data folder.');
    expect(missing.out).toContain('1 of 1 checks found something wrong.');
    const half = await ops(['doctor'], { RABBITMQ_URL: 'amqp://127.0.0.1:1' });
    expect(half.code).toBe(1);
    expect(half.out).toContain('RABBITMQ_URL is set, and MONGODB_URL is not.');
  });

  it('names each wrong setting of a distributed installation once', async () => {
    const { code, out } = await ops(['doctor'], {
      MONGODB_URL: 'mongodb://calls:a-password@localhost',
      RABBITMQ_URL: 'http://localhost',
      S3_URL: 'http://localhost/path',
      S3_ACCESS_KEY: 'ops',
      S3_SECRET_KEY: 'a-secret',
    });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^wrong +call database +Wrong settings:\n +MONGODB_URL .*must be an address that names a data/m,
    );
    expect(out).toMatch(/^wrong +broker +Wrong settings:\n +RABBITMQ_URL is "http:\/\/localhost": must be an address/m);
    expect(out).toMatch(/^wrong +audio store +Wrong settings:\n +S3_URL is .*must be an address without a path/m);
    expect(out).toContain('3 of 4 checks found something wrong.');
    expect(out).not.toMatch(/a-password|a-secret| {4}at /);
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

  it('prints the rights of each service in an S3 store, which needs no server', async () => {
    const { code, out } = await ops(['s3-policies'], { S3_BUCKET: 'calls' });
    expect(code).toBe(0);
    const { gateway, cleanup } = JSON.parse(out) as Record<
      string,
      { Statement: { Action: string[]; Resource: string[] }[] }
    >;
    expect(gateway?.Statement[1]).toEqual({
      Effect: 'Allow',
      Action: ['s3:PutObject', 's3:AbortMultipartUpload'],
      Resource: ['arn:aws:s3:::calls/recordings/*/audio'],
    });
    expect(cleanup?.Statement[1]?.Action).toContain('s3:DeleteObject');
  });

  it('passes accounts on to the command for accounts, or says where that runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ops-accounts-'));
    try {
      const env = { DATA_DIR: join(folder, 'data') };
      expect(await ops(['accounts', 'create', '--name', 'Acme'], env)).toMatchObject({ code: 0, err: '' });
      expect((await ops(['accounts', 'list', '--json'], env)).out).toContain('"name": "Acme"');
      expect(await ops(['accounts', 'burn'], env)).toMatchObject({
        code: 2,
        err: expect.stringContaining('npm run accounts -- keys revoke'),
      });
      const distributed = await ops(['accounts', 'list'], { ...env, MONGODB_URL: 'mongodb://localhost/calls' });
      expect(distributed).toMatchObject({ code: 1, out: '' });
      expect(distributed.err).toContain('docker compose run --rm accounts-cli');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('asks for the secret of each S3 user before it makes one', async () => {
    const env = { S3_ACCESS_KEY: 'admin', S3_SECRET_KEY: 'a-secret', S3_GATEWAY_SECRET_KEY: 'short' };
    const { code, err } = await ops(['s3-users'], env);
    expect(code).toBe(1);
    expect(err).toContain('S3_GATEWAY_SECRET_KEY');
    expect(err).toContain('S3_OPS_SECRET_KEY is not set');
    expect(err).not.toContain('short');
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
