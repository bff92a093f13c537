import { Readable } from 'node:stream';
import { type Faults, inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import { seededFaults } from '@call-analytics/messaging/seeded-faults.fixture.ts';
import { type Part, readSettings, watchPoints } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openScene, type Scene } from './cleanup.fixture.ts';
import { cleanupSettings, createCleanup } from './cleanup.ts';

const DAY_MS = 86_400_000;

describe('the cleanup service', () => {
  let scene: Scene;
  let messaging: Messaging;
  let cleanup: Part | null;
  let unwatch = () => {};
  beforeEach(async () => {
    scene = await openScene();
    cleanup = null;
  });
  afterEach(async () => {
    unwatch();
    await cleanup?.stop(AbortSignal.timeout(1_000));
    await messaging.close();
    await scene.close();
  });

  const start = async ({
    faults,
    sweepEveryMs = DAY_MS,
    ...retention
  }: {
    faults?: Faults;
    sweepEveryMs?: number;
    CALL_RETENTION?: number;
  } = {}) => {
    messaging = inProcessMessaging({ ...scene, ...(faults === undefined ? {} : { faults }) });
    cleanup = createCleanup({
      ...scene,
      messaging,
      settings: {
        DUE_AUDIO_SWEEP_INTERVAL: sweepEveryMs,
        REMOVAL_SWEEP_INTERVAL: sweepEveryMs,
        ORPHAN_AUDIO_SWEEP_INTERVAL: sweepEveryMs,
        ORPHAN_AUDIO_GRACE: 60_000,
        ...retention,
      },
    });
    await cleanup.start();
    return cleanup;
  };
  /** Publishes what waits in the outbox, as the dispatcher does. */
  const relay = async () => {
    for (const { id, message } of await scene.store.outbox(1_000)) {
      await messaging.publish(message);
      await scene.store.removeFromOutbox([id]);
    }
  };
  /** Resolves when the deletions of so many recordings were recorded, and so many removed calls purged. */
  const deleted = (count: number, purged = 0) => {
    const done = Promise.withResolvers<void>();
    const seen = { 'audio.deleted': new Set<string>(), 'call.purged': new Set<string>() };
    unwatch = watchPoints((name, about) => {
      if (name !== 'audio.deleted' && name !== 'call.purged') return;
      seen[name].add(about);
      if (seen['audio.deleted'].size === count && seen['call.purged'].size === purged) done.resolve();
    });
    return done.promise;
  };

  it('deletes the recording of a completed call when the message comes', async () => {
    await start();
    const call = await scene.completed();
    const done = deleted(1);
    await relay();
    await done;
    expect(await scene.stored(call.audio.key)).toBe(false);
  });

  it('deletes each recording once although messages come twice, late and in any order', async () => {
    await start({ faults: seededFaults(11, { duplicate: 0.7, delay: 0.5, reorder: 0.5, delayMs: 10 }) });
    const calls = [];
    for (let i = 0; i < 30; i += 1) calls.push(await scene.completed());
    const done = deleted(30);
    await relay();
    await done;
    for (const call of calls) expect(await scene.stored(call.audio.key)).toBe(false);
    expect((await scene.events()).filter((type) => type === 'audio.deleted')).toHaveLength(30);
    expect(await messaging.deadLetters(10)).toEqual([]);
  });

  it('deletes recordings although every message is lost', async () => {
    await start({ faults: seededFaults(1, { drop: 1 }), sweepEveryMs: 10 });
    const done = deleted(3);
    for (let i = 0; i < 3; i += 1) await scene.completed();
    await relay();
    await done;
  });

  it('does at its start what became due while it was not running', async () => {
    const call = await scene.completed();
    await scene.audioStore.put('orphan', Readable.from([Buffer.from('a recording')]));
    const removed = await scene.queued();
    await scene.calls.remove(removed.accountId, removed.id);
    scene.step(120_000);
    const done = deleted(1, 1);
    const orphanGone = Promise.withResolvers<void>();
    scene.metrics.audioOrphans.inc = () => orphanGone.resolve();
    await start();
    await Promise.all([done, orphanGone.promise]);
    expect(await scene.stored(call.audio.key)).toBe(false);
    expect(await scene.stored('orphan')).toBe(false);
    expect(await scene.stored(removed.audio.key)).toBe(false);
    expect(await scene.store.get(removed.id)).toBeNull();
  });

  it('deletes calls whose retention has ended, and without a retention none', async () => {
    const old = [await scene.completed(), await scene.failed()];
    scene.step(365 * DAY_MS);
    const recordingsGone = deleted(2);
    const part = await start({ sweepEveryMs: 10 });
    await recordingsGone;
    for (const call of old) expect((await scene.now(call)).removal).toBeNull();
    await part.stop(AbortSignal.timeout(1_000));
    const done = deleted(0, 2);
    await start({ sweepEveryMs: 10, CALL_RETENTION: 90 * DAY_MS });
    await done;
    for (const call of old) expect(await scene.store.get(call.id)).toBeNull();
  });

  it('finishes the deletion in flight when it is stopped', async () => {
    const part = await start();
    const call = await scene.completed();
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    unwatch = watchPoints(async (name) => {
      if (name !== 'audio.deleting') return;
      reached.resolve();
      await gate.promise;
    });
    await relay();
    await reached.promise;
    const stopping = part.stop(AbortSignal.timeout(10_000));
    gate.resolve();
    await stopping;
    expect((await scene.now(call)).audio.deletedAt).not.toBeNull();
    expect(part.ready?.()).not.toBeNull();
  });

  it('can be stopped when it was never started', async () => {
    messaging = inProcessMessaging(scene);
    const settings = readSettings(cleanupSettings, {});
    await createCleanup({ ...scene, messaging, settings }).stop(AbortSignal.timeout(1_000));
  });

  it('is ready while it consumes', async () => {
    const part = await start();
    expect(part.ready?.()).toBeNull();
  });
});

describe('the settings of the cleanup service', () => {
  it('have defaults: due recordings every 30 seconds, removed calls every 5, orphans every hour and older than an hour', () => {
    expect(readSettings(cleanupSettings, {})).toEqual({
      DUE_AUDIO_SWEEP_INTERVAL: 30_000,
      REMOVAL_SWEEP_INTERVAL: 5_000,
      ORPHAN_AUDIO_SWEEP_INTERVAL: 3_600_000,
      ORPHAN_AUDIO_GRACE: 3_600_000,
    });
  });

  it.each([
    ['DUE_AUDIO_SWEEP_INTERVAL', '0s'],
    ['REMOVAL_SWEEP_INTERVAL', '0s'],
    ['ORPHAN_AUDIO_SWEEP_INTERVAL', '25d'],
    ['ORPHAN_AUDIO_GRACE', '59s'],
    ['CALL_RETENTION', '23h'],
  ])(
    'refuse %s=%s, which would sweep without pause, never, what is still being uploaded, or too early',
    (name, value) => {
      expect(() => readSettings(cleanupSettings, { [name]: value })).toThrow(name);
    },
  );
});
