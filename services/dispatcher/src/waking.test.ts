import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CallStore, Calls, openSqliteCallStore } from '@call-analytics/calls';
import { lockWrites } from '@call-analytics/calls/sqlite/other-process.fixture.ts';
import { inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import { makeLogger, makeMetrics, type Part } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createDispatcher } from './dispatcher.ts';

const MINUTE = 60_000;

describe('what wakes the dispatcher', () => {
  let dir: string;
  let file: string;
  let store: CallStore;
  let calls: Calls;
  /** As another process has it. */
  let other: CallStore;
  let messaging: Messaging;
  let dispatcher: Part;
  const granted: string[] = [];

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    granted.length = 0;
    const [log, metrics] = [makeLogger('test', 'silent'), makeMetrics()];
    dir = await mkdtemp(join(tmpdir(), 'waking-'));
    file = join(dir, 'calls.sqlite');
    store = openSqliteCallStore({ file, busyTimeoutMs: 1 });
    calls = new Calls(store);
    other = openSqliteCallStore({ file });
    messaging = inProcessMessaging({ log, metrics });
    const settings = { IN_FLIGHT_PER_ACCOUNT: 4, DISPATCH_INTERVAL: MINUTE };
    dispatcher = createDispatcher({ calls, store, messaging, log, metrics, settings });
    await messaging.consume(
      'transcription',
      async ({ data }) => {
        granted.push(data.callId);
        return { kind: 'done' };
      },
      { concurrency: 1 },
    );
  });
  afterEach(async () => {
    jest.useRealTimers();
    await dispatcher.stop(new AbortController().signal);
    await messaging.close();
    await store.close();
    await other.close();
    await rm(dir, { recursive: true });
  });

  const settle = async () => {
    for (let n = 0; n < 20; n += 1) await nextTurn();
  };
  const pass = async (ms: number) => {
    await jest.advanceTimersByTimeAsync(ms);
    await settle();
  };
  const accept = async (by = calls) => {
    const audio = { key: `key ${Math.random()}`, bytes: 1, format: 'mp3', seconds: 60 } as const;
    return (await by.accept({ accountId: 'account_1', fileName: 'a.mp3', reportType: 'medium', audio })).call.id;
  };

  it('a hint of the store does, in the same moment', async () => {
    await dispatcher.start();
    await pass(5);
    const id = await accept();
    await settle();
    expect(granted).toEqual([id]);
    expect(await store.outbox(10)).toEqual([]);
  });

  it('the time of a retry does, when it comes and not before', async () => {
    const id = await accept();
    const claimed = await calls.claim(id, 'transcription', 'test');
    if ('refused' in claimed) throw new Error(claimed.refused);
    const after = await calls.failAttempt(claimed.lease, { kind: 'transient', code: 'engine_down', message: 'Later.' });
    const waits = (after?.nextAttemptAt?.getTime() ?? 0) - Date.now();
    expect(waits).toBeGreaterThan(1_000);
    await dispatcher.start();
    await settle();
    await pass(waits - 1);
    expect(granted).toEqual([]);
    await pass(1);
    expect(granted).toEqual([id]);
  });

  it('the end of a grant does', async () => {
    const id = await accept();
    await calls.grant(id);
    await dispatcher.start();
    await pass(29_999);
    expect(granted).toEqual([]);
    await pass(1);
    expect(granted).toEqual([id]);
  });

  it('its interval does, for what another process has written without a hint', async () => {
    await dispatcher.start();
    await settle();
    const id = await accept(new Calls(other));
    await pass(MINUTE - 1);
    expect(granted).toEqual([]);
    await pass(1);
    expect(granted).toEqual([id]);
  });

  it('many hints in one turn make one tick', async () => {
    const asked = jest.spyOn(store, 'outbox');
    await dispatcher.start();
    await settle();
    asked.mockClear();
    await Promise.all(Array.from({ length: 50 }, () => accept()));
    await nextTurn();
    await nextTurn();
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('with nothing to do it looks once per interval', async () => {
    const asked = jest.spyOn(store, 'outbox');
    await dispatcher.start();
    await settle();
    asked.mockClear();
    await pass(10 * MINUTE);
    expect(asked.mock.calls.length).toBe(10);
  });

  it('does not spin while the store fails, whatever hints come, and comes back within seconds', async () => {
    const asked = jest.spyOn(store, 'outbox');
    const id = await accept();
    let unlock = lockWrites(file);
    await dispatcher.start();
    for (let n = 0; n < 30; n += 1) {
      unlock();
      await accept();
      unlock = lockWrites(file);
      await pass(1_000);
    }
    expect(asked.mock.calls.length).toBeGreaterThan(5);
    expect(asked.mock.calls.length).toBeLessThan(20);
    expect(granted).toEqual([]);
    unlock();
    await pass(6_000);
    expect(granted[0]).toBe(id);
  });
});
