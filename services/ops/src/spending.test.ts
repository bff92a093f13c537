import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Calls, openSqliteCallStore } from '@call-analytics/calls';
import { ranHere } from '@call-analytics/test/terminal.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from './cli.ts';

describe('the spending of accounts', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ops-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const ops = (args: readonly string[], env: Record<string, string> = {}) =>
    ranHere((terminal) => runCli(args, { DATA_DIR: dir, ...env }, terminal));
  /** @returns the id of a call of the account that has cost so much */
  const paid = async (accountId: string, dollars: number): Promise<string> => {
    const store = openSqliteCallStore({ file: join(dir, 'calls.sqlite') });
    const calls = new Calls(store);
    const audio = { key: accountId, bytes: 1, format: 'mp3', seconds: 60 } as const;
    const { call } = await calls.accept({ accountId, fileName: 'a.mp3', reportType: 'medium', audio });
    const claimed = await calls.claim(call.id, 'transcription', 'test');
    if ('refused' in claimed) throw new Error(claimed.refused);
    await calls.spending.record(claimed.lease, { name: 'openai', model: 'gpt-transcribe' }, dollars);
    await store.close();
    return call.id;
  };

  it('is listed with the limits, and each call says what it has cost', async () => {
    const id = await paid('account_1', 0.25);
    await paid('account_2', 12.5);
    expect((await ops(['spending'])).out.split('\n').slice(0, 2)).toEqual([
      'account_2      $12.5000  no limit',
      'account_1       $0.2500  no limit',
    ]);
    const { out } = await ops(['spending'], { SPENDING_LIMIT_PER_DAY: '10' });
    expect(out).toContain('account_2      $12.5000  of $10.0000, reached\n');
    expect(out).toContain('account_1       $0.2500  of $10.0000\n');
    expect((await ops(['calls', 'show', id])).out).toMatch(/^costs +transcription \$0\.2500$/m);
    expect((await ops(['spending'], { SPENDING_LIMIT_PER_DAY: 'much' })).err).toContain('SPENDING_LIMIT_PER_DAY');
  });
});
