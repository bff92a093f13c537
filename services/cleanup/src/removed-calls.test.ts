import { rm, writeFile } from 'node:fs/promises';
import type { Call } from '@call-analytics/calls';
import { watchPoints } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, type Scene } from './cleanup.fixture.ts';
import { sweepRemovedCalls } from './recordings.ts';

const NEVER = new AbortController().signal;
const GRACE_MS = 30_000;

describe('the sweep for removed calls', () => {
  let scene: Scene;
  let unwatch = () => {};
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => {
    unwatch();
    return scene.close();
  });

  const remove = async (call: Call) => {
    await scene.calls.remove(call.accountId, call.id);
    return call;
  };
  const sweep = (stop = NEVER) => sweepRemovedCalls(scene, stop);
  const isGone = async ({ id, audio }: Call) =>
    (await scene.store.get(id)) === null && !(await scene.stored(audio.key));
  const dieAt = (point: string) => {
    unwatch = watchPoints((name) => {
      if (name === point) throw new Error('died here');
    });
  };

  it.each(['queued', 'transcribing', 'completed', 'failed'] as const)(
    'deletes the recording of one that was %s and then all that is kept of it, when it cannot be restored any more, not before',
    async (state) => {
      const call = await remove(await scene[state]());
      scene.step(GRACE_MS - 1_000);
      await sweep();
      expect(await scene.stored(call.audio.key)).toBe(true);
      expect((await scene.now(call)).removal).toMatchObject({ final: false });
      scene.step(1_000);
      await sweep();
      expect(await isGone(call)).toBe(true);
      expect(await scene.events()).toEqual([]);
      expect(await scene.metric('audio_deletions_total{outcome="deleted"}')).toMatch(/ 1$/);
    },
  );

  it('leaves alone what is not removed, and what was restored in time', async () => {
    const calls = [await scene.queued(), await scene.completed(), await remove(await scene.transcribing())];
    await scene.calls.restore('account_1', calls[2]?.id ?? '');
    scene.step(365 * 86_400_000);
    await sweep();
    for (const call of calls) expect(await scene.stored(call.audio.key)).toBe(true);
  });

  it('lets nobody restore a call whose recording it deletes, also when their clock is behind', async () => {
    const call = await remove(await scene.queued());
    scene.step(GRACE_MS);
    const restored: boolean[] = [];
    unwatch = watchPoints(async (name) => {
      if (name !== 'audio.deleting') return;
      scene.step(-GRACE_MS);
      restored.push(await scene.calls.restore(call.accountId, call.id));
      scene.step(GRACE_MS);
    });
    await sweep();
    expect(restored).toEqual([false]);
    expect(await isGone(call)).toBe(true);
  });

  it.each(['audio.deleting', 'call.purged'])('goes on where it died: at %s', async (point) => {
    const call = await remove(await scene.queued());
    scene.step(GRACE_MS);
    dieAt(point);
    await sweep();
    unwatch();
    await sweep();
    expect(await isGone(call)).toBe(true);
  });

  it('keeps the record until the store says that the recording is gone', async () => {
    const call = await remove(await scene.completed());
    scene.step(GRACE_MS);
    const release = await scene.holdRecording(call);
    await sweep();
    expect((await scene.now(call)).removal).toMatchObject({ final: true });
    expect(await scene.calls.restore(call.accountId, call.id)).toBe(false);
    expect(scene.lines).toContainEqual(
      expect.objectContaining({ level: 'error', callId: call.id, code: 'audio_store_unavailable' }),
    );
    expect(await scene.metric('audio_deletions_total{outcome="failed"}')).toMatch(/ 1$/);
    expect((await scene.store.figures(scene.clock.now())).audioDue).toBeGreaterThan(0);
    await release();
    await sweep();
    expect(await isGone(call)).toBe(true);
  });

  it('gets to all of many, past those that cannot be deleted', async () => {
    const calls: Call[] = [];
    for (let i = 0; i < 250; i += 1) calls.push(await remove(await scene.queued()));
    for (const call of calls.slice(0, 120)) await scene.holdRecording(call);
    scene.step(GRACE_MS);
    await sweep();
    for (const call of calls.slice(120)) expect(await isGone(call)).toBe(true);
    for (const call of calls.slice(0, 120)) expect(await scene.store.get(call.id)).not.toBeNull();
  });

  it('tries one and not all when the audio store cannot be used, and does them all once it can be', async () => {
    const calls = [
      await remove(await scene.queued()),
      await remove(await scene.queued()),
      await remove(await scene.queued()),
    ];
    scene.step(GRACE_MS);
    await rm(scene.audioDir, { recursive: true });
    await writeFile(scene.audioDir, 'not a folder');
    await sweep();
    expect(await scene.metric('audio_deletions_total{outcome="failed"}')).toMatch(/ 1$/);
    await rm(scene.audioDir);
    await sweep();
    for (const call of calls) expect(await scene.store.get(call.id)).toBeNull();
  });

  it('by several at once deletes each call once', async () => {
    const calls = await Promise.all(Array.from({ length: 10 }, async () => remove(await scene.completed())));
    scene.step(GRACE_MS);
    await Promise.all([sweep(), sweep(), sweep()]);
    for (const call of calls) expect(await isGone(call)).toBe(true);
    expect(await scene.metric('audio_deletions_total{outcome="deleted"}')).toMatch(/ 10$/);
    expect(await scene.metric('audio_deletions_total{outcome="failed"}')).toBeUndefined();
  });

  it('ends between two calls when it is told to stop', async () => {
    const calls = [await remove(await scene.queued()), await remove(await scene.queued())];
    scene.step(GRACE_MS);
    const stop = new AbortController();
    unwatch = watchPoints((name) => {
      if (name === 'call.purged') stop.abort();
    });
    await sweep(stop.signal);
    expect((await Promise.all(calls.map(isGone))).sort()).toEqual([false, true]);
  });
});
