import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, Calls, openSqliteCallStore } from '@call-analytics/calls';
import type { Failure } from '@call-analytics/service-kit';
import { ranHere } from '@call-analytics/test/terminal.fixture.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runCli } from './cli.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ops-'));
});
afterEach(() => rm(dir, { recursive: true }));

const ops = (...args: string[]) => ranHere((terminal) => runCli(args, { DATA_DIR: dir }, terminal));
const ended = async (failure: Failure): Promise<Call> => {
  const store = openSqliteCallStore({ file: join(dir, 'calls.sqlite') });
  const calls = new Calls(store);
  const audio = { key: 'key', bytes: 1, format: 'mp3', seconds: 60 } as const;
  const { call } = await calls.accept({ accountId: 'a', fileName: 'a.mp3', reportType: 'medium', audio });
  const claimed = await calls.claim(call.id, 'transcription', 'test');
  if ('refused' in claimed) throw new Error(claimed.refused);
  await calls.failAttempt(claimed.lease, failure);
  await store.close();
  return call;
};

it('a call of which nothing is kept that an attempt could work on is not retried, also when it has a recording', async () => {
  const { id } = await ended({ kind: 'rejected', code: 'audio_empty', message: 'There is no sound.' });
  const { code, err } = await ops('calls', 'retry', id);
  expect(code).toBe(1);
  expect(err).toContain(
    'Neither a recording with sound nor a transcript of this call is kept. Upload the recording again.',
  );
});

it('one call that waits is one call, in the queues and for the doctor', async () => {
  await ended({ kind: 'unavailable', code: 'engine_unavailable', message: 'The engine does not answer.' });
  expect((await ops('queues')).out).toContain('1 call waits for speech engine\n');
});
