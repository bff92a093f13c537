import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderAudioStore } from '@call-analytics/audio-store';
import { Calls, openSqliteCallStore } from '@call-analytics/calls';
import { createCleanup } from '@call-analytics/cleanup';
import { inProcessMessaging } from '@call-analytics/messaging';
import { makeLogger, makeMetrics, watchPoints } from '@call-analytics/service-kit';
import { type Endpoint, type StandIn, startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { readStandaloneSettings, type Standalone, startStandalone } from '@call-analytics/standalone';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import { Client } from './client.fixture.ts';

const CALL = join(FILES, 'excerpt.wav');
/** A little less than the clocks of two processes may differ. */
const AHEAD_MS = 59_500;
const HOUR_MS = 3_600_000;
const REFUSED = { message: 'Refused.', type: 'invalid_request_error', param: null, code: 'content_policy_violation' };
const log = makeLogger('test', 'silent');

describe('a retry while recordings are deleted', () => {
  let standIn: StandIn;
  let standalone: Standalone;
  let client: Client;
  let dataDir: string;
  /** Closes what a test opened, the last first. */
  let closing: (() => unknown)[];
  let letGo: () => void;

  beforeEach(async () => {
    closing = [];
    letGo = () => {};
    standIn = await startStandIn({ speech: 'known-text' });
    dataDir = await mkdtemp(join(tmpdir(), 'call-analytics-'));
  });
  afterEach(async () => {
    letGo();
    for (const close of closing.reverse()) await close();
    await standIn.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** @param retention how long the recording of a failed call is kept */
  const start = async (retention: string) => {
    const settings = readStandaloneSettings({
      PORT: '0',
      DATA_DIR: dataDir,
      OPENAI_BASE_URL: standIn.url,
      OPENAI_API_KEY: standIn.key,
      FAILED_AUDIO_RETENTION: retention,
      DUE_AUDIO_SWEEP_INTERVAL: '1s',
    });
    standalone = await startStandalone(settings, log);
    closing.push(() => standalone.stop());
    const { account } = await standalone.accounts.createAccount({ name: 'Acme' });
    const { secret } = await standalone.accounts.createKey({ accountId: account.id, name: 'test' });
    client = new Client(() => standalone.url, secret);
  };
  /** Another process that deletes due recordings. Its clock is ahead. */
  const startCleanupAhead = async () => {
    const store = openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') });
    const metrics = makeMetrics();
    const messaging = inProcessMessaging({ log, metrics });
    const clock = { now: () => new Date(Date.now() + AHEAD_MS) };
    const cleanup = createCleanup({
      calls: new Calls(store, { clock }),
      store,
      audioStore: folderAudioStore({ dir: join(dataDir, 'audio') }),
      messaging,
      metrics,
      log,
      clock,
      settings: {
        DUE_AUDIO_SWEEP_INTERVAL: 50,
        REMOVAL_SWEEP_INTERVAL: HOUR_MS,
        ORPHAN_AUDIO_SWEEP_INTERVAL: HOUR_MS,
        ORPHAN_AUDIO_GRACE: HOUR_MS,
      },
    });
    await cleanup.start();
    closing.push(
      () => store.close(),
      () => messaging.close(),
      () => cleanup.stop(AbortSignal.timeout(5_000)),
    );
  };
  /** Calls that failed because the engine refused them. The engine accepts them from now on. */
  const failed = async (endpoint: Endpoint, count: number) => {
    standIn.faults.push({ endpoint, do: { kind: 'error', status: 400, body: { error: REFUSED } } });
    const ids = await Promise.all(Array.from({ length: count }, () => client.uploaded(CALL)));
    for (const id of ids) expect(await client.finished(id)).toMatchObject({ status: 'failed', retryable: true });
    standIn.faults.length = 0;
    return ids as [string, string];
  };
  const retry = async (id: string) => {
    const response = await client.fetch(`/calls/${id}/retry`, { method: 'POST' });
    return { ...((await response.json()) as { code?: string; detail?: string }), status: response.status };
  };
  /** Holds cleanup before it deletes the recording of the call. `done` is when the deletion is recorded. */
  const heldDeletion = (id: string) => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const unwatch = watchPoints(async (name, about) => {
      if (about !== id) return;
      if (name === 'audio.deleted') done.resolve();
      if (name !== 'audio.deleting') return;
      begun.resolve();
      await gate.promise;
    });
    letGo = () => {
      unwatch();
      gate.resolve();
    };
    return { begun: begun.promise, release: () => gate.resolve(), done: done.promise };
  };
  const recordings = async () =>
    (await readdir(join(dataDir, 'audio'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

  it('is refused while cleanup deletes the recording, also when its clock is ahead; earlier it runs to the end', async () => {
    await start('75s');
    const [early, late] = await failed('transcriptions', 2);
    expect(await retry(early)).toMatchObject({ status: 202 });
    expect(await client.finished(early)).toMatchObject({ status: 'completed' });
    await until(async () => (await recordings()).length === 1, 'the recording of the completed call is deleted');

    const deletion = heldDeletion(late);
    await startCleanupAhead();
    await deletion.begun;
    expect(await retry(late)).toMatchObject({
      status: 409,
      code: 'call_not_retryable',
      detail: 'Neither a recording with sound nor a transcript of this call is kept. Upload the recording again.',
    });
    deletion.release();
    await deletion.done;
    expect(await client.call(late)).toMatchObject({ status: 'failed', retryable: false });
    expect(await recordings()).toEqual([]);
  });

  it('of a call that has its transcript needs no recording, and completes', async () => {
    await start('5s');
    const [id] = await failed('chat', 1);
    const deletion = heldDeletion(id);
    await deletion.begun;
    expect(await retry(id)).toMatchObject({ status: 202 });
    deletion.release();
    expect(await client.finished(id)).toMatchObject({ status: 'completed' });
    await deletion.done;
    expect(await recordings()).toEqual([]);
  });
});
