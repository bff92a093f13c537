import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Call, Transcript } from '@call-analytics/calls';
import { watchPoints } from '@call-analytics/service-kit';
import type { StandIn } from '@call-analytics/stand-in';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FIVE_PIECES, openScenes, paymentsOf, type Scenes } from './transcription.fixture.ts';

let standIn: StandIn;
let open: Scenes['open'];
let close: Scenes['close'];

beforeEach(async () => {
  ({ standIn, open, close } = await openScenes());
});
afterEach(() => close());

describe('stopping', () => {
  it('gives back a call that is with the engine, uncounted, and leaves nothing behind', async () => {
    standIn.faults.push({ endpoint: 'transcriptions', nth: 2, do: { kind: 'hang' } });
    const scene = await open({ SEGMENT_CONCURRENCY: '1' });
    const uploaded = await scene.uploaded(FIVE_PIECES);
    const hanging = until(() => standIn.requests.length === 2, 'both requests have come');
    await scene.granted(uploaded);
    await hanging;
    await scene.stop(AbortSignal.timeout(200));
    expect(await scene.now(uploaded)).toMatchObject({
      status: 'transcribing',
      lease: null,
      failures: 0,
      nextAttemptAt: null,
    });
    expect(await scene.store.segments(uploaded.id)).toHaveLength(1);
    expect(await scene.leftovers()).toEqual([]);
  });
});

describe('stopping while the engine answers slowly', () => {
  it('keeps the answer that is paid for, asks for no other, and gives the call back uncounted', async () => {
    standIn.faults.push({ endpoint: 'transcriptions', nth: 2, do: { kind: 'delay', ms: 4_000 } });
    const scene = await open({ SEGMENT_CONCURRENCY: '1' });
    const uploaded = await scene.uploaded(FIVE_PIECES);
    const asked = until(() => standIn.requests.length === 2, 'both requests have come');
    await scene.granted(uploaded);
    await asked;
    await scene.stop();
    expect(await scene.now(uploaded)).toMatchObject({ status: 'transcribing', lease: null, failures: 0 });
    expect(await scene.store.segments(uploaded.id)).toHaveLength(2);
    expect(standIn.requests).toHaveLength(2);
  });
});

describe('a worker that lost its lease', () => {
  it('saves nothing more and does not touch the call', async () => {
    const scene = await open({ SEGMENT_CONCURRENCY: '1' });
    const uploaded = await scene.uploaded(FIVE_PIECES);
    let segments = 0;
    const unwatch = watchPoints(async (name) => {
      if (name !== 'segment.transcribed') return;
      segments += 1;
      if (segments !== 2) return;
      // Its lease runs out while the engine's answer is on its way.
      scene.step(120_000);
      await scene.calls.reclaimExpired();
    });
    const { call, transcript } = await scene.transcribed(uploaded).finally(unwatch);
    expect(call).toMatchObject({ status: 'transcribing', lastFailure: { code: 'worker_lost' } });
    expect(transcript).toBeNull();
    expect(await scene.store.segments(uploaded.id)).toHaveLength(1);
    // Nor does it have more segments transcribed, which another worker will.
    await until(async () => (await scene.leftovers()).length === 0, 'no files are left');
    expect(standIn.requests).toHaveLength(2);
  });
});

describe('a worker that is killed', () => {
  it.each([
    ['segment.saved', 2, 'gpt-transcribe', [1, 1, 1, 1, 1]],
    // Paid and not yet kept: that one segment, and no other, is paid for again.
    ['segment.transcribed', 3, 'gpt-transcribe', [1, 1, 2, 1, 1]],
    ['transcript.ready', 1, 'gpt-transcribe', [1, 1, 1, 1, 1]],
    // It gets a pack for each person.
    ['segment.saved', 1, 'whisper-1', [1, 1]],
    ['segment.transcribed', 2, 'whisper-1', [1, 2]],
  ] as const)(
    'at %s number %i with %s: the next one pays only for what was not kept',
    async (point, number, model, expected) => {
      const transcript = await continuedAfter(point, number, model, FIVE_PIECES);
      expect(transcript?.utterances).toHaveLength(5);
      expect(paymentsOf(standIn)).toEqual(expected);
    },
  );

  it.each([
    ['segment.saved', [1]],
    ['segment.transcribed', [2]],
  ] as const)(
    'at %s with a pack of several voices: a pack that was kept is not paid again',
    async (point, expected) => {
      const transcript = await continuedAfter(point, 1, 'gpt-4o-transcribe-diarize', 'bundled-call-mono.mp3');
      expect(transcript?.speakersBy).toBe('engine');
      expect(new Set(transcript?.utterances.map(({ speaker }) => speaker))).toEqual(new Set([0, 1]));
      expect(paymentsOf(standIn)).toEqual(expected);
    },
  );
});

/** @returns the transcript of another worker, after the first one was killed */
async function continuedAfter(point: string, number: number, model: string, file: string): Promise<Transcript | null> {
  const env = {
    OPENAI_API_KEY: standIn.key,
    OPENAI_BASE_URL: standIn.url,
    SEGMENT_CONCURRENCY: '1',
    TRANSCRIPTION_MODEL: model,
  };
  const scene = await open(env);
  const uploaded = await scene.uploaded(file);
  await scene.calls.grant(uploaded.id);
  await killedAt(point, number, env, scene.dir, uploaded);
  expect(await scene.leftovers()).toHaveLength(1);

  scene.step(120_000);
  expect(await scene.calls.reclaimExpired()).toBe(1);
  scene.step(120_000);
  const next = await open(env, scene.dir);
  next.step(240_000);
  expect(await next.leftovers()).toEqual([]);
  return (await next.transcribed(uploaded)).transcript;
}

/** Runs a worker on the call and kills it when it comes to the point for the nth time. */
async function killedAt(
  point: string,
  number: number,
  env: Record<string, string>,
  home: string,
  call: Call,
): Promise<void> {
  const worker: ChildProcess = fork(
    fileURLToPath(new URL('./transcription.child.fixture.ts', import.meta.url)),
    [home, call.id],
    { env: { PATH: process.env.PATH, SCENE: JSON.stringify(env) }, execArgv: ['--no-warnings'] },
  );
  let seen = 0;
  worker.on('message', (name) => {
    if (name === point) seen += 1;
    if (seen === number) worker.kill('SIGKILL');
    else worker.send('go on');
  });
  await once(worker, 'exit');
}
