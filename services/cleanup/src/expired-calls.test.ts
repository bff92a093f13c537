import type { Call } from '@call-analytics/calls';
import { watchPoints } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, type Scene } from './cleanup.fixture.ts';
import { sweepExpiredCalls, sweepRemovedCalls } from './recordings.ts';

const NEVER = new AbortController().signal;
const DAY_MS = 86_400_000;
const RETENTION_MS = 90 * DAY_MS;

describe('the sweep for calls whose retention has ended', () => {
  let scene: Scene;
  let unwatch = () => {};
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => {
    unwatch();
    return scene.close();
  });

  const sweep = async (stop = NEVER) => {
    await sweepExpiredCalls(scene, RETENTION_MS, stop);
    await sweepRemovedCalls(scene, stop);
  };
  const isGone = async ({ id, audio }: Call) =>
    (await scene.store.get(id)) === null && !(await scene.stored(audio.key));

  it('deletes finished calls with everything after the retention, not before', async () => {
    const calls = [await scene.completed(), await scene.failed()];
    scene.step(RETENTION_MS - 60_000);
    await sweep();
    for (const call of calls) expect((await scene.now(call)).removal).toBeNull();
    scene.step(120_000);
    await sweep();
    for (const call of calls) expect(await isGone(call)).toBe(true);
    expect(await scene.store.list('account_1', { limit: 10, offset: 0 })).toEqual({ calls: [], total: 0 });
    expect(await scene.events()).toEqual([]);
    expect(scene.lines).toContainEqual(
      expect.objectContaining({ calls: 2, msg: 'deleted calls whose retention has ended' }),
    );
  });

  it('leaves alone calls that wait or are in work, however old they are', async () => {
    const calls = [await scene.queued(), await scene.transcribing()];
    scene.step(10 * RETENTION_MS);
    await sweep();
    for (const call of calls) {
      expect(await scene.now(call)).toEqual(call);
      expect(await scene.stored(call.audio.key)).toBe(true);
    }
  });

  it.each(['call.removed', 'audio.deleting', 'call.purged'])('continues where it died: at %s', async (point) => {
    const call = await scene.completed();
    scene.step(RETENTION_MS + 1_000);
    unwatch = watchPoints((name) => {
      if (name === point) throw new Error('died here');
    });
    const died = await sweepExpiredCalls(scene, RETENTION_MS, NEVER).catch((error: Error) => error.message);
    expect(died).toBe(point === 'call.removed' ? 'died here' : undefined);
    await sweepRemovedCalls(scene, NEVER);
    unwatch();
    await sweep();
    expect(await isGone(call)).toBe(true);
  });

  it('keeps the record until the store says that the recording is gone', async () => {
    const call = await scene.failed();
    scene.step(RETENTION_MS + 1_000);
    const release = await scene.holdRecording(call);
    await sweep();
    expect((await scene.now(call)).removal).toMatchObject({ final: true });
    await release();
    await sweep();
    expect(await isGone(call)).toBe(true);
  });

  it('gets to all of many, and ends between two calls when it is told to stop', async () => {
    const calls: Call[] = [];
    for (let i = 0; i < 150; i += 1) calls.push(await scene.completed());
    scene.step(RETENTION_MS + 1_000);
    const stop = new AbortController();
    unwatch = watchPoints((name) => {
      if (name === 'call.removed') stop.abort();
    });
    await sweepExpiredCalls(scene, RETENTION_MS, stop.signal);
    expect(await scene.store.removalsDue(scene.clock.now(), 200)).toHaveLength(1);
    unwatch();
    await sweep();
    for (const call of calls) expect(await isGone(call)).toBe(true);
  });

  it('by several at once removes each call once', async () => {
    for (let i = 0; i < 10; i += 1) await scene.completed();
    await scene.store.removeFromOutbox((await scene.store.outbox(100)).map(({ id }) => id));
    scene.step(RETENTION_MS + 1_000);
    await Promise.all([1, 2, 3].map(() => sweepExpiredCalls(scene, RETENTION_MS, NEVER)));
    expect(await scene.events()).toEqual(Array(10).fill('call.removed'));
  });
});
