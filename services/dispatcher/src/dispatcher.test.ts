import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CallStore, Calls, openSqliteCallStore } from '@call-analytics/calls';
import { watchPoints } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { atLeast, DispatchFixture, HOUR, OFTEN, transcript } from './dispatcher.fixture.ts';

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
