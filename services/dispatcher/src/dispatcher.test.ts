import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CallStore, Calls, DEFAULT_POLICY, openSqliteCallStore, type Transcript } from '@call-analytics/calls';
import type { QueueName, Stage } from '@call-analytics/contracts';
import { type Faults, inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import { type Clock, makeLogger, makeMetrics, type Part, WorkError, watchPoints } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/contract/until.ts';
import { createDispatcher } from './dispatcher.ts';

const HOUR = 3_600_000;
/** No test waits this long: what happens sooner was not found by looking every now and then. */
const RARELY = { IN_FLIGHT_PER_ACCOUNT: 4, DISPATCH_INTERVAL: 60_000 };
const OFTEN = { IN_FLIGHT_PER_ACCOUNT: 4, DISPATCH_INTERVAL: 10 };
const brokerDown = () => new WorkError({ kind: 'transient', code: 'broker_unavailable', message: 'The broker is away.' });

const transcript: Transcript = {
  language: 'en',
  utterances: [],
  speakersBy: 'nothing',
  engine: { name: 'none', model: 'none' },
  audio: { seconds: 60, channels: 1, coveredSeconds: 60, speechSeconds: [], dropped: [] },
};

/** Holds the first answer to what is ready for transcription until `go`. */
function holdFirst(store: CallStore): { done: Promise<void>; go(): void } {
  const backlog = store.backlog;
  const [done, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.backlog = async (stage, now, perAccount) => {
    const answer = await backlog(stage, now, perAccount);
    if (stage === 'transcription') {
      done.resolve();
      await go.promise;
    }
    return answer;
  };
  return { done: done.promise, go: go.resolve };
}

describe('the dispatcher', () => {
  let dir: string;
  let store: CallStore;
  let messaging: Messaging;
  let offset: number;
  const clock: Clock = { now: () => new Date(Date.now() + offset) };
  const parts: Part[] = [];
  const lines: string[] = [];
  const log = makeLogger('test', 'debug', { write: (line) => lines.push(line) });
  const metrics = makeMetrics();

  beforeEach(async () => {
    offset = 0;
    lines.length = 0;
    dir = await mkdtemp(join(tmpdir(), 'dispatcher-'));
    open(join(dir, 'calls.sqlite'));
    bus();
  });
  afterEach(async () => {
    for (const part of parts.splice(0)) await part.stop(new AbortController().signal);
    await messaging.close();
    await store.close();
    await rm(dir, { recursive: true });
  });

  let calls: Calls;
  const open = (file: string) => {
    store = openSqliteCallStore({ file });
    calls = new Calls(store, { clock });
  };
  const bus = (faults?: Faults) => {
    messaging = inProcessMessaging({ log, metrics, ...(faults === undefined ? {} : { faults }) });
  };
  const dispatch = async (settings = RARELY, over: { calls?: Calls; messaging?: Messaging } = {}) => {
    const part = createDispatcher({ calls, messaging, log, metrics, clock, settings, ...over });
    parts.push(part);
    await part.start();
    return part;
  };
  const accept = async (accountId = 'account_1', seconds = 60) => {
    const audio = { key: `${accountId} ${Math.random()}`, bytes: 1, format: 'mp3', seconds } as const;
    return (await calls.accept({ accountId, fileName: 'a.mp3', reportType: 'medium', audio })).call.id;
  };
  const claim = async (callId: string, stage: Stage = 'transcription') => {
    const claimed = await calls.claim(callId, stage, 'test');
    if ('refused' in claimed) throw new Error(claimed.refused);
    return claimed.lease;
  };
  /** The calls whose messages a queue delivered, in order. */
  const listen = async (queue: QueueName) => {
    const heard: string[] = [];
    await messaging.consume(
      queue,
      async ({ data }) => {
        heard.push(data.callId);
        return { kind: 'done' };
      },
      { concurrency: 1 },
    );
    return heard;
  };
  /** Workers that claim and then hold each call until they are told to end one. */
  const workers = async (concurrency: number) => {
    const started: string[] = [];
    const jobs: (() => Promise<void>)[] = [];
    await messaging.consume(
      'transcription',
      async ({ data }, { signal }) => {
        const lease = await claim(data.callId);
        started.push(data.accountId);
        await new Promise<void>((end) => {
          signal.addEventListener('abort', () => end());
          jobs.push(async () => {
            await calls.commitTranscript(lease, transcript);
            end();
          });
        });
        return { kind: 'done' };
      },
      { concurrency },
    );
    return { started, endOne: async () => jobs.shift()?.() };
  };
  const count = (of: string[]) => async (n: number) =>
    until(
      () => of.length,
      (length) => length >= n,
    );

  it('grants an uploaded call at once, without waiting for its interval', async () => {
    await dispatch();
    const heard = await listen('transcription');
    const id = await accept();
    await count(heard)(1);
    expect(heard).toEqual([id]);
  });

  it('grants the next stage as soon as the one before it is over', async () => {
    await dispatch();
    const heard = await listen('analysis');
    const id = await accept();
    await calls.commitTranscript(await claim(id), transcript);
    await count(heard)(1);
    expect(heard).toEqual([id]);
  });

  it('relays each event to who must hear it, and empties the outbox', async () => {
    await dispatch();
    const heard = await listen('cleanup');
    const id = await accept();
    await calls.setBack(await claim(id), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    await count(heard)(1);
    expect(heard).toEqual([id]);
    expect(
      await until(
        () => store.outbox(10),
        (outbox) => outbox.length === 0,
      ),
    ).toEqual([]);
  });

  it('relays a long outbox whole', async () => {
    await store.close();
    open(':memory:');
    for (let n = 0; n < 250; n += 1) {
      await calls.setBack(await claim(await accept()), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    }
    const heard = await listen('cleanup');
    await dispatch();
    await count(heard)(250);
    expect(new Set(heard).size).toBe(250);
  });

  it("starts another account's call within one job's time, with 10,000 calls of one account queued", async () => {
    await store.close();
    open(':memory:');
    for (let n = 0; n < 10_000; n += 1) await accept('many');
    await dispatch();
    const { started, endOne } = await workers(2);
    await count(started)(2);
    // One of them waits in the queue already, granted.
    await until(
      () => messaging.depth('transcription'),
      (depth) => depth === 1,
    );
    await accept('one', 36_000);
    await endOne();
    await count(started)(3);
    await endOne();
    await count(started)(4);
    expect(started).toEqual(['many', 'many', 'many', 'one']);
    expect((await store.inFlight('transcription', clock.now())).granted).toBeLessThanOrEqual(1);
  });

  it('gives accounts with work equal seconds, however long their calls are', async () => {
    await store.close();
    open(':memory:');
    for (let n = 0; n < 60; n += 1) await accept('short', 60);
    for (let n = 0; n < 60; n += 1) await accept('long', 300);
    await dispatch();
    const { started, endOne } = await workers(1);
    for (let n = 1; n <= 36; n += 1) {
      await count(started)(n);
      await endOne();
    }
    const shortCalls = started.slice(0, 36).filter((account) => account === 'short').length;
    expect(Math.abs(shortCalls * 60 - (36 - shortCalls) * 300)).toBeLessThanOrEqual(360);
  });

  it('has no more calls of an account in flight than it may', async () => {
    await dispatch({ ...RARELY, IN_FLIGHT_PER_ACCOUNT: 2 });
    for (let n = 0; n < 4; n += 1) await accept('many');
    const { started, endOne } = await workers(10);
    await count(started)(2);
    await accept('one');
    await count(started)(3);
    expect(started).toEqual(['many', 'many', 'one']);
    await endOne();
    await count(started)(4);
    expect(started[3]).toBe('many');
  });

  it('finds all work in the store after a restart with an empty broker', async () => {
    const waiting = [await accept('a'), await accept('b')];
    const forAnalysis = await accept('c');
    await calls.commitTranscript(await claim(forAnalysis), transcript);
    const delayed = await accept('d');
    await calls.setBack(await claim(delayed), { kind: 'transient', code: 'engine_down', message: 'Later.' });
    const orphaned = await accept('e');
    await claim(orphaned);
    const granted = await accept('f');
    await calls.grant(granted);
    offset = HOUR;

    await dispatch(OFTEN);
    const transcribed: string[] = [];
    await messaging.consume(
      'transcription',
      async ({ data }) => {
        await calls.commitTranscript(await claim(data.callId), transcript);
        transcribed.push(data.callId);
        return { kind: 'done' };
      },
      { concurrency: 1 },
    );
    const analysed = await listen('analysis');
    await until(
      () => store.get(orphaned),
      (call) => call?.lease === null,
    );
    offset += HOUR;
    await count(transcribed)(5);
    expect(transcribed.sort()).toEqual([...waiting, delayed, orphaned, granted].sort());
    await count(analysed)(1);
    expect(analysed[0]).toBe(forAnalysis);
  });

  it('grants a call again when the message of its grant was lost', async () => {
    await messaging.close();
    let lost = 0;
    bus(() => {
      lost += 1;
      return lost === 1 ? [] : [{ afterMs: 0, place: 1 }];
    });
    await dispatch(OFTEN);
    const heard = await listen('transcription');
    const id = await accept();
    await until(
      () => store.get(id),
      (call) => call?.grantedUntil !== null,
    );
    expect(heard).toEqual([]);
    offset = DEFAULT_POLICY.grantMs;
    await count(heard)(1);
    expect(heard).toEqual([id]);
  });

  it('keeps an event that could not be published, and publishes it when the broker is back; it says so once', async () => {
    let down = true;
    const publish: Messaging['publish'] = async (message) => {
      if (down) throw brokerDown();
      return messaging.publish(message);
    };
    const heard = await listen('cleanup');
    const part = await dispatch(OFTEN, { messaging: { ...messaging, publish } });
    const id = await accept();
    await calls.setBack(await claim(id), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    const warnings = () => lines.filter((line) => line.includes('could not relay events'));
    await until(warnings, (found) => found.length > 0);
    expect(part.ready?.()).toBe('could not relay events: broker_unavailable');
    await accept();
    expect((await store.outbox(10)).length).toBeGreaterThanOrEqual(2);
    down = false;
    await count(heard)(1);
    expect(heard).toEqual([id]);
    await until(
      () => lines.filter((line) => line.includes('can relay events again')),
      (found) => found.length === 1,
    );
    expect(warnings()).toHaveLength(1);
    expect(part.ready?.()).toBeNull();
  });

  it('grants nothing while the broker is away', async () => {
    let away: string | null = 'no connection';
    await dispatch(OFTEN, { messaging: { ...messaging, ready: () => away } });
    const heard = await listen('transcription');
    const id = await accept();
    await until(
      () => lines,
      (found) => found.some((line) => line.includes('could not grant work for transcription')),
    );
    expect(await store.get(id)).toMatchObject({ grantedUntil: null });
    away = null;
    await count(heard)(1);
    expect(heard).toEqual([id]);
  });

  it('one event that no broker takes does not hold up the others, nor the granting of work', async () => {
    const poison = await accept('poison');
    const publish: Messaging['publish'] = async (message) => {
      if (message.data.callId === poison && message.type === 'call.uploaded') throw brokerDown();
      return messaging.publish(message);
    };
    const [granted, failed] = [await listen('transcription'), await listen('cleanup')];
    await dispatch(OFTEN, { messaging: { ...messaging, publish } });
    await count(granted)(1);
    await calls.setBack(await claim(await accept()), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    await count(failed)(1);
    expect((await store.outbox(10)).map(({ message }) => message.data.callId)).toContain(poison);
  });

  it('goes on when a store that failed answers again; it says so once', async () => {
    const working = store.inFlight;
    store.inFlight = async () => {
      throw new WorkError({ kind: 'transient', code: 'store_unavailable', message: 'The call store does not answer.' });
    };
    await dispatch(OFTEN);
    const heard = await listen('transcription');
    const id = await accept();
    const warnings = () => lines.filter((line) => line.includes('could not grant work for transcription'));
    await until(warnings, (found) => found.length > 0);
    await accept();
    store.inFlight = working;
    await count(heard)(1);
    expect(heard[0]).toBe(id);
    expect(warnings()).toHaveLength(1);
  });

  it('two dispatchers at once, on connections of their own, grant each call once', async () => {
    const other = openSqliteCallStore({ file: join(dir, 'calls.sqlite') });
    try {
      // Both have looked before either grants.
      const looked = [holdFirst(store), holdFirst(other)];
      const bothLooked = Promise.all(looked.map(({ done }) => done));
      void bothLooked.then(() => looked.forEach(({ go }) => void go()));
      const accepted: string[] = [];
      for (let n = 0; n < 40; n += 1) accepted.push(await accept(`account_${n % 3}`));
      const started: string[] = [];
      await messaging.consume(
        'transcription',
        async ({ data }) => {
          started.push(data.callId);
          await calls.commitTranscript(await claim(data.callId), transcript);
          return { kind: 'done' };
        },
        { concurrency: 3 },
      );
      await Promise.all([dispatch(OFTEN), dispatch(OFTEN, { calls: new Calls(other, { clock }) })]);
      await until(
        () => store.list('account_0', { limit: 1, offset: 0, status: 'queued' }),
        ({ total }) => total === 0,
      );
      await until(
        () => started.length,
        (length) => length >= 40,
      );
      expect(started.sort()).toEqual(accepted.sort());
      for (const part of parts.splice(0)) await part.stop(new AbortController().signal);
    } finally {
      await other.close();
    }
  });

  it('ends what is in hand when it stops, and begins nothing more', async () => {
    const publishing = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const stopWatching = watchPoints(async (name) => {
      if (name !== 'work.granted') return;
      publishing.resolve();
      await go.promise;
    });
    try {
      const part = await dispatch();
      await accept('a');
      await publishing.promise;
      let hasStopped = false;
      const stopped = part.stop(new AbortController().signal).then(() => {
        hasStopped = true;
      });
      await accept('b');
      await nextTurn();
      expect(hasStopped).toBe(false);
      go.resolve();
      await stopped;
      expect((await store.outbox(10)).map(({ message }) => message.data.accountId)).toEqual(['b']);
      expect(await messaging.depth('transcription')).toBe(1);
    } finally {
      stopWatching();
    }
  });

  it('shows what waits in its gauges', async () => {
    const id = await accept();
    await calls.setBack(await claim(id), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    for (let n = 0; n < 3; n += 1) await accept();
    offset = 48 * HOUR;
    await dispatch();
    const shown = () => metrics.registry.metrics();
    await until(shown, (text) => text.includes('audio_awaiting_deletion 1'));
    expect(await shown()).toContain('calls_ready{stage="transcription"} 2');
    expect(await shown()).toContain('calls_ready{stage="analysis"} 0');
    expect(await shown()).toContain('outbox_oldest_age_seconds 0');
  });
});
