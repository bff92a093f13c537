import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CallStore, Calls, openSqliteCallStore } from '@call-analytics/calls';
import { watchPoints } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { atLeast, DispatchFixture, HOUR, OFTEN, RARELY, transcript } from './dispatcher.fixture.ts';

/** Holds the first answer to what is ready until `go`. */
function holdFirst(store: CallStore): { done: Promise<void>; go(): void } {
  const queues = store.queues;
  const [done, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.queues = async (now) => {
    const { inFlight, backlog } = await queues(now);
    return {
      inFlight,
      async backlog(stage, perAccount) {
        const answer = await backlog(stage, perAccount);
        done.resolve();
        await go.promise;
        return answer;
      },
    };
  };
  return { done: done.promise, go: go.resolve };
}

describe('the dispatcher', () => {
  let fixture: DispatchFixture;
  beforeEach(async () => {
    fixture = await DispatchFixture.open();
  });
  afterEach(() => fixture.close());

  it('grants an uploaded call at once, without waiting for its interval', async () => {
    await fixture.dispatch();
    const heard = await fixture.listen('transcription');
    const id = await fixture.accept();
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
  });

  it('grants the next stage as soon as the one before it is over', async () => {
    await fixture.dispatch();
    const heard = await fixture.listen('analysis');
    const id = await fixture.accept();
    await fixture.calls.commitTranscript(await fixture.claim(id), transcript);
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
  });

  it('relays each event to who must hear it, and empties the outbox', async () => {
    await fixture.dispatch();
    const heard = await fixture.listen('cleanup');
    const id = await fixture.accept();
    await fixture.calls.failAttempt(await fixture.claim(id), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    await atLeast(1, heard);
    expect(heard).toEqual([id]);
    expect(
      await until(
        () => fixture.store.outbox(10),
        (outbox) => outbox.length === 0,
      ),
    ).toEqual([]);
  });

  it('relays a long outbox whole', async () => {
    await fixture.inMemory();
    for (let n = 0; n < 250; n += 1) {
      await fixture.calls.failAttempt(await fixture.claim(await fixture.accept()), {
        kind: 'rejected',
        code: 'unreadable',
        message: 'No.',
      });
    }
    const heard = await fixture.listen('cleanup');
    await fixture.dispatch();
    await atLeast(250, heard);
    expect(new Set(heard).size).toBe(250);
  });

  it("starts another account's call within one job's time, with 10,000 calls of one account queued", async () => {
    await fixture.inMemory();
    for (let n = 0; n < 10_000; n += 1) await fixture.accept('many');
    await fixture.dispatch();
    const { started, endOne } = await fixture.workers(2);
    await atLeast(2, started);
    // One of them waits in the queue already, granted.
    await until(
      () => fixture.messaging.depth('transcription'),
      (depth) => depth === 1,
    );
    // A job that takes no time at all would be one of those before which calls may queue.
    fixture.pass(300);
    await fixture.accept('one', 36_000);
    // At once, so that it is there when two jobs end at the same time; not when the grant of the first ends, after 30 s.
    await until(
      () => fixture.messaging.depth('transcription'),
      (depth) => depth === 2,
      10_000,
    );
    await Promise.all([endOne(), endOne()]);
    await atLeast(4, started);
    expect(started).toEqual(['many', 'many', 'many', 'one']);
    expect((await fixture.store.queues(fixture.clock.now())).inFlight.transcription.granted).toBeLessThanOrEqual(1);
  });

  it('keeps the last free worker for another account, whose call then starts although no job has ended', async () => {
    for (let n = 0; n < 10; n += 1) await fixture.accept('many', 36_000);
    await fixture.calls.announceWorker('transcription', 'test', 3);
    await fixture.dispatch(OFTEN);
    const { started, endOne } = await fixture.workers(3);
    await atLeast(2, started);
    fixture.pass(300);
    await fixture.anotherRound();
    expect(started).toEqual(['many', 'many']);
    await fixture.accept('one', 36_000);
    await atLeast(3, started);
    expect(started).toEqual(['many', 'many', 'one']);
    await endOne();
    await endOne();
    await atLeast(4, started);
    expect(started[3]).toBe('many');
  });

  it('gives the only worker to whose turn it is', async () => {
    for (let n = 0; n < 3; n += 1) await fixture.accept('many', 36_000);
    await fixture.calls.announceWorker('transcription', 'test', 1);
    await fixture.dispatch();
    const { started, endOne } = await fixture.workers(1);
    await atLeast(1, started);
    await endOne();
    await atLeast(2, started);
    expect(started).toEqual(['many', 'many']);
  });

  it('lets newcomers in early, one call of each, until as many calls wait in the queue as are worked on', async () => {
    await fixture.inMemory();
    for (let n = 0; n < 20; n += 1) await fixture.accept('many');
    await fixture.dispatch({ ...OFTEN, IN_FLIGHT_PER_ACCOUNT: 20 });
    const { started } = await fixture.workers(4);
    await atLeast(4, started);
    const waiting = (calls: number) =>
      until(
        () => fixture.messaging.depth('transcription'),
        (depth) => depth === calls,
      );
    await waiting(2);
    // While jobs are new, they might be short.
    fixture.pass(300);
    for (const [account, calls] of [
      ['one', 3],
      ['one', 3],
      ['two', 4],
      ['three', 4],
    ] as const) {
      await fixture.accept(account);
      await waiting(calls);
      await fixture.anotherRound();
      expect(await fixture.messaging.depth('transcription')).toBe(calls);
    }
  });

  it('gives accounts with work equal seconds, however long their calls are', async () => {
    await fixture.inMemory();
    for (let n = 0; n < 60; n += 1) await fixture.accept('short', 60);
    for (let n = 0; n < 60; n += 1) await fixture.accept('long', 300);
    await fixture.dispatch();
    const { started, endOne } = await fixture.workers(1);
    for (let n = 1; n <= 36; n += 1) {
      await atLeast(n, started);
      await endOne();
    }
    const shortCalls = started.slice(0, 36).filter((account) => account === 'short').length;
    expect(Math.abs(shortCalls * 60 - (36 - shortCalls) * 300)).toBeLessThanOrEqual(360);
  });

  it('does not look anew for each call while jobs take no time', async () => {
    await fixture.inMemory();
    for (let n = 0; n < 400; n += 1) await fixture.accept(`account_${n % 10}`);
    let looked = 0;
    const { queues } = fixture.store;
    fixture.store.queues = (...given) => {
      looked += 1;
      return queues(...given);
    };
    const ended: string[] = [];
    await fixture.messaging.consume(
      'transcription',
      async ({ data }) => {
        await fixture.calls.commitTranscript(await fixture.claim(data.callId), transcript);
        ended.push(data.callId);
        return { kind: 'done' };
      },
      { concurrency: 2 },
    );
    await fixture.dispatch();
    await atLeast(400, ended);
    expect(looked).toBeLessThan(200);
  });

  it('has no more calls of an account in flight than it may', async () => {
    await fixture.dispatch({ ...RARELY, IN_FLIGHT_PER_ACCOUNT: 2 });
    for (let n = 0; n < 4; n += 1) await fixture.accept('many');
    const { started, endOne } = await fixture.workers(10);
    await atLeast(2, started);
    await fixture.accept('one');
    await atLeast(3, started);
    expect(started).toEqual(['many', 'many', 'one']);
    await endOne();
    await atLeast(4, started);
    expect(started[3]).toBe('many');
  });

  it('grants nothing to an account at its spending limit, its share to others, and wakes by itself at 00:00 UTC', async () => {
    const DAY = 24 * HOUR;
    fixture.offset = (Math.floor(Date.now() / DAY) + 1) * DAY - HOUR - Date.now();
    const calls = new Calls(fixture.store, { clock: fixture.clock, policy: { spendingLimit: 1 } });
    const paid = await fixture.accept('spent');
    await calls.spending.record(await fixture.claim(paid), { name: 'openai', model: 'gpt' }, 1);
    const held = await fixture.accept('spent');
    await fixture.dispatch(OFTEN, { calls });
    const { started } = await fixture.workers(4);
    await fixture.accept('other');
    await fixture.accept('third');
    await atLeast(2, started);
    const of = '{stage="transcription"}';
    const shown = [`calls_ready${of} 0`, `calls_held_by_spending_limit${of} 1`];
    await until(
      async () => (await fixture.metrics.registry.metrics()).split('\n'),
      (lines) => shown.every((line) => lines.includes(line)),
    );
    expect([...started].sort()).toEqual(['other', 'third']);
    expect(await fixture.store.get(held)).toMatchObject({ status: 'queued', grantedUntil: null, attempt: 0 });
    fixture.offset += HOUR;
    await until(
      () => started,
      (found) => found.includes('spent'),
    );
    expect(await fixture.store.get(held)).toMatchObject({ attempt: 1, failures: 0 });
  });

  it('grants nothing to a drained stage and all to the other, calls for no workers, and goes on when it is resumed', async () => {
    const transcribed = await fixture.accept('transcribed');
    const lease = await fixture.claim(transcribed);
    await fixture.store.setDrained('transcription', new Date());
    const waiting = [await fixture.accept('a'), await fixture.accept('b')];
    const { started } = await fixture.workers(2);
    const analyzing = await fixture.listen('analysis');
    await fixture.dispatch(OFTEN);
    const shown = (...lines: string[]) =>
      until(
        async () => (await fixture.metrics.registry.metrics()).split('\n'),
        (found) => lines.every((line) => found.includes(line)),
      );
    const of = '{stage="transcription"}';
    await shown(`stage_drained${of} 1`, `calls_ready${of} 2`, `calls_workload${of} 1`);
    await shown('stage_drained{stage="analysis"} 0');
    // What was begun before the drain is finished, and goes on in the other stage.
    await fixture.calls.commitTranscript(lease, transcript);
    await atLeast(1, analyzing);
    expect(analyzing).toEqual([transcribed]);
    expect(started).toEqual([]);
    for (const id of waiting)
      expect(await fixture.store.get(id)).toMatchObject({ attempt: 0, grantedUntil: null, nextAttemptAt: null });
    await fixture.store.setDrained('transcription', null);
    await atLeast(2, started);
    expect(started.sort()).toEqual(['a', 'b']);
    await shown(`stage_drained${of} 0`);
  });

  it('finds all work in the store after a restart with an empty broker', async () => {
    const waiting = [await fixture.accept('a'), await fixture.accept('b')];
    const forAnalysis = await fixture.accept('c');
    await fixture.calls.commitTranscript(await fixture.claim(forAnalysis), transcript);
    const delayed = await fixture.accept('d');
    await fixture.calls.failAttempt(await fixture.claim(delayed), {
      kind: 'transient',
      code: 'engine_down',
      message: 'Later.',
    });
    const orphaned = await fixture.accept('e');
    await fixture.claim(orphaned);
    const granted = await fixture.accept('f');
    await fixture.calls.grant(granted);
    fixture.offset = HOUR;

    await fixture.dispatch(OFTEN);
    const transcribed: string[] = [];
    await fixture.messaging.consume(
      'transcription',
      async ({ data }) => {
        await fixture.calls.commitTranscript(await fixture.claim(data.callId), transcript);
        transcribed.push(data.callId);
        return { kind: 'done' };
      },
      { concurrency: 1 },
    );
    const analyzed = await fixture.listen('analysis');
    await until(
      () => fixture.store.get(orphaned),
      (call) => call?.lease === null,
    );
    fixture.offset += HOUR;
    await atLeast(5, transcribed);
    expect(transcribed.sort()).toEqual([...waiting, delayed, orphaned, granted].sort());
    await atLeast(1, analyzed);
    expect(analyzed[0]).toBe(forAnalysis);
  });

  it('two dispatchers at once, on connections of their own, grant each call once', async () => {
    const other = openSqliteCallStore({ file: fixture.file });
    try {
      // Both have looked before either grants.
      const looked = [holdFirst(fixture.store), holdFirst(other)];
      const bothLooked = Promise.all(looked.map(({ done }) => done));
      void bothLooked.then(() => looked.forEach(({ go }) => void go()));
      const accepted: string[] = [];
      for (let n = 0; n < 40; n += 1) accepted.push(await fixture.accept(`account_${n % 3}`));
      const started: string[] = [];
      await fixture.messaging.consume(
        'transcription',
        async ({ data }) => {
          started.push(data.callId);
          await fixture.calls.commitTranscript(await fixture.claim(data.callId), transcript);
          return { kind: 'done' };
        },
        { concurrency: 3 },
      );
      await Promise.all([
        fixture.dispatch(OFTEN),
        fixture.dispatch(OFTEN, { store: other, calls: new Calls(other, { clock: fixture.clock }) }),
      ]);
      await until(
        () => fixture.store.list('account_0', { limit: 1, offset: 0, status: 'queued' }),
        ({ total }) => total === 0,
      );
      await until(
        () => started.length,
        (length) => length >= 40,
      );
      expect(started.sort()).toEqual(accepted.sort());
      for (const part of fixture.parts.splice(0)) await part.stop(new AbortController().signal);
    } finally {
      await other.close();
    }
  });

  it('ends what is in flight when it stops, and begins nothing more', async () => {
    const publishing = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const stopWatching = watchPoints(async (name) => {
      if (name !== 'work.granted') return;
      publishing.resolve();
      await go.promise;
    });
    try {
      const part = await fixture.dispatch();
      await fixture.accept('a');
      await publishing.promise;
      let hasStopped = false;
      const stopped = part.stop(new AbortController().signal).then(() => {
        hasStopped = true;
      });
      await fixture.accept('b');
      await nextTurn();
      expect(hasStopped).toBe(false);
      go.resolve();
      await stopped;
      expect((await fixture.store.outbox(10)).map(({ message }) => message.data.accountId)).toEqual(['b']);
      expect(await fixture.messaging.depth('transcription')).toBe(1);
    } finally {
      stopWatching();
    }
  });

  it('shows what waits in its gauges', async () => {
    const id = await fixture.accept();
    await fixture.calls.failAttempt(await fixture.claim(id), { kind: 'rejected', code: 'unreadable', message: 'No.' });
    for (let n = 0; n < 3; n += 1) await fixture.accept();
    fixture.offset = 48 * HOUR;
    await fixture.dispatch();
    const shown = () => fixture.metrics.registry.metrics();
    await until(shown, (text) => text.includes('audio_awaiting_deletion 1'));
    expect(await shown()).toContain('calls_ready{stage="transcription"} 2');
    expect(await shown()).toContain('calls_ready{stage="analysis"} 0');
    expect(await shown()).toContain('outbox_oldest_age_seconds 0');
  });

  it.each([
    ['is away', { kind: 'unavailable', code: 'engine_unreachable', message: 'No connection.' }],
    ['has no quota left', { kind: 'out-of-quota', code: 'insufficient_quota', message: 'Pay.' }],
  ] as const)(
    'counts ready, granted and running calls as the workload, and only running ones while the engine %s',
    async (_, away) => {
      const [running, waiting] = [await fixture.accept(), await fixture.accept()];
      for (let n = 0; n < 3; n += 1) await fixture.accept();
      await fixture.claim(running);
      const workload = (calls: number) => {
        const line = `calls_workload{stage="transcription"} ${calls}\n`;
        return until(
          () => fixture.metrics.registry.metrics(),
          (text) => text.includes(line),
        );
      };
      await fixture.dispatch(OFTEN);
      await workload(5);
      await fixture.calls.failAttempt(await fixture.claim(waiting), away);
      await workload(1);
    },
  );
});
