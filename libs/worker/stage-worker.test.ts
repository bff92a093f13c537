import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallStore, Calls, openSqliteCallStore, type Transcript } from '@call-analytics/calls';
import { execute, lockWrites } from '@call-analytics/calls/sqlite/other-process.fixture.ts';
import { makeMessage } from '@call-analytics/contracts';
import { HandlerTimeout, inProcessMessaging, type Outcome } from '@call-analytics/messaging';
import { CircuitOpen, type Failure, makeLogger, makeMetrics, WorkError } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { assertLeaseHeld, LeaseLost, type StageWork, watchRemovals, workOnStage } from './stage-worker.ts';

const HOUR = 3_600_000;
const transcript: Transcript = {
  language: 'en',
  utterances: [],
  speakersBy: 'nothing',
  engine: { name: 'none', model: 'none' },
  audio: { seconds: 1, channels: 1, coveredSeconds: 1, speechSeconds: [], dropped: [] },
};

describe('working on a stage', () => {
  let dir: string;
  let file: string;
  let store: CallStore;
  let calls: Calls;
  let callId: string;
  let offset: number;
  const clock = { now: () => new Date(Date.now() + offset) };
  const lines: Record<string, unknown>[] = [];
  const log = makeLogger('test', 'debug', { write: (line) => lines.push(JSON.parse(line)) });
  const metrics = makeMetrics();
  const stop = () => new AbortController();

  beforeEach(async () => {
    offset = 0;
    lines.length = 0;
    dir = await mkdtemp(join(tmpdir(), 'stage-worker-'));
    file = join(dir, 'calls.sqlite');
    store = openSqliteCallStore({ file, busyTimeoutMs: 1 });
    // A short lease: its renewal is what some of these tests wait for.
    calls = new Calls(store, { clock, policy: { leaseMs: 300 } });
    const audio = { key: 'a', bytes: 1, format: 'mp3', seconds: 1 } as const;
    callId = (await calls.accept({ accountId: 'account_1', fileName: 'a.mp3', reportType: 'medium', audio })).call.id;
  });
  afterEach(async () => {
    await store.close();
    await rm(dir, { recursive: true });
  });

  type Engine = { answeredAt: Date | null };
  const run = (work: (work: StageWork) => Promise<void>, stopping = stop(), engine?: Engine): Promise<Outcome> => {
    const message = makeMessage(
      'transcription.requested',
      { callId, accountId: 'account_1' },
      'message_1',
      '/test',
      new Date(),
    );
    return workOnStage(
      { calls, log, metrics, stage: 'transcription', message, engine: () => engine, stop: stopping.signal },
      work,
    );
  };
  const throwing = (failure: Failure, engine?: Engine) =>
    run(
      async () => {
        throw new WorkError(failure);
      },
      stop(),
      engine,
    );
  const aborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const read = () => store.get(callId);

  it('is done when the work has committed its result', async () => {
    const outcome = await run(async ({ call, lease }) => {
      expect(call).toMatchObject({ status: 'transcribing', attempt: 1 });
      assertLeaseHeld(await calls.commitTranscript(lease, transcript));
    });
    expect(outcome).toEqual({ kind: 'done' });
    expect(await read()).toMatchObject({ status: 'analyzing', lease: null });
  });

  it('records what its requests have cost, also when the price of some or all is not known', async () => {
    for (const prices of [[0], [null, null], [null, 0.5, null, 0.25]])
      await run(async ({ paid, lease }) => {
        for (const dollars of prices) await paid({ name: 'openai', model: 'x' }, dollars);
        await calls.release(lease);
      });
    const costs = await calls.spending.costs(callId);
    expect(costs.map(({ attempt, dollars }) => [attempt, dollars])).toEqual([
      [2, null],
      [3, 0.75],
    ]);
  });

  it('is counted as an attempt when it begins, and as one in flight until it ends, however it ends', async () => {
    const attempts = async () => (await metrics.stageAttempts.get()).values[0]?.value ?? 0;
    const inFlight = async () => (await metrics.leasesInFlight.get()).values[0]?.value;
    const before = await attempts();
    await run(async () => {
      expect([await attempts(), await inFlight()]).toEqual([before + 1, 1]);
      throw new Error('no');
    });
    expect([await attempts(), await inFlight()]).toEqual([before + 1, 0]);
  });

  it('is skipped when there is nothing to do, without starting', async () => {
    await calls.claim(callId, 'transcription', 'other');
    let worked = false;
    const outcome = await run(async () => {
      worked = true;
    });
    expect(outcome).toEqual({ kind: 'skipped', reason: 'someone works on it' });
    expect(worked).toBe(false);
  });

  it('keeps the lease alive for as long as the work takes', async () => {
    await run(async ({ call, lease }) => {
      const first = call.lease?.until.getTime() ?? 0;
      const leaseEnd = async () => {
        expect(await calls.reclaimExpired()).toBe(0);
        return (await read())?.lease?.until.getTime() ?? 0;
      };
      await until(leaseEnd, (end) => end >= first + 200);
      assertLeaseHeld(await calls.commitTranscript(lease, transcript));
    });
    expect(await read()).toMatchObject({ status: 'analyzing', attempt: 1, failures: 0 });
  });

  it('aborts the work when its lease is lost, and writes nothing more', async () => {
    const outcome = await run(async ({ signal }) => {
      offset = HOUR;
      expect(await calls.reclaimExpired()).toBe(1);
      await aborted(signal);
    });
    expect(outcome).toEqual({ kind: 'skipped', reason: 'the lease is lost' });
    expect(await read()).toMatchObject({ failures: 1, lastFailure: { code: 'worker_lost' } });
  });

  describe('aborts the work when its call is removed', () => {
    const elsewhere = () => new Calls(store, { clock });
    const neverRenewed = () => {
      calls = new Calls(store, { clock, policy: { leaseMs: HOUR } });
    };
    const endsWhen = async (remove: () => Promise<unknown>) => {
      const outcome = await run(async ({ signal }) => {
        await remove();
        await aborted(signal);
      });
      expect(outcome).toEqual({ kind: 'skipped', reason: 'the lease is lost' });
    };

    it('at once in this process', async () => {
      neverRenewed();
      await endsWhen(() => calls.remove('account_1', callId));
    });

    it('as soon as another process tells of it', async () => {
      neverRenewed();
      const messaging = inProcessMessaging({ log, metrics });
      const hearing = await watchRemovals(calls, messaging);
      await endsWhen(async () => {
        await elsewhere().remove('account_1', callId);
        for (const { message } of await store.outbox(10)) await messaging.publish(message);
      });
      await hearing.close();
      await messaging.close();
    });

    it('at the next renewal of its lease, when nobody tells of it', () =>
      endsWhen(() => elsewhere().remove('account_1', callId)));

    it('and not because somebody says so: the record tells', async () => {
      const outcome = await run(async ({ lease, signal }) => {
        const before = (await read())?.lease?.until;
        calls.notifyRemoval(callId);
        // It makes the worker renew its lease, which it finds held.
        await until(read, (call) => call?.lease?.until.getTime() !== before?.getTime());
        expect(signal.aborted).toBe(false);
        assertLeaseHeld(await calls.commitTranscript(lease, transcript));
      });
      expect(outcome).toEqual({ kind: 'done' });
    });
  });

  it('touches nothing of a call that is removed meanwhile', async () => {
    const outcome = await run(async ({ signal }) => {
      expect(await calls.remove('account_1', callId)).toBe(true);
      await aborted(signal);
    });
    expect(outcome).toEqual({ kind: 'skipped', reason: 'the lease is lost' });
    expect(await read()).toMatchObject({ failures: 0, lastFailure: null, stage: null });
    await calls.restore('account_1', callId);
    expect(await read()).toMatchObject({ failures: 0, stage: 'transcription', lease: null });
  });

  it('counts an attempt that took longer than its message allows, and the call is tried again', async () => {
    const stopping = stop();
    const outcome = await run(async ({ signal }) => {
      setImmediate(() => stopping.abort(new HandlerTimeout(60_000)));
      await aborted(signal);
    }, stopping);
    expect(outcome).toEqual({ kind: 'retry', reason: 'handler_timeout' });
    expect(await read()).toMatchObject({
      lease: null,
      failures: 1,
      lastFailure: { kind: 'transient', message: 'The work on this call was not done within 1 minute.' },
    });
  });

  it('is skipped when a write of the work is refused because another has the call', async () => {
    const outcome = await run(async ({ lease }) => {
      offset = HOUR;
      await calls.reclaimExpired();
      offset = 2 * HOUR;
      await calls.claim(callId, 'transcription', 'other');
      assertLeaseHeld(await calls.commitTranscript(lease, transcript));
    });
    expect(outcome).toEqual({ kind: 'skipped', reason: 'the lease is lost' });
    expect(await read()).toMatchObject({ attempt: 2, status: 'transcribing', lease: { worker: 'other' } });
  });

  it('gives the call back when the service stops, and counts nothing', async () => {
    const stopping = stop();
    const outcome = await run(async ({ signal }) => {
      setImmediate(() => stopping.abort());
      await aborted(signal);
    }, stopping);
    expect(outcome).toEqual({ kind: 'retry', reason: 'the service stops' });
    expect(await read()).toMatchObject({ lease: null, failures: 0, lastFailure: null, nextAttemptAt: null });
    expect(await calls.grant(callId)).not.toBeNull();
  });

  describe('when a try fails', () => {
    it.each(['audio_store_unavailable', 'store_unavailable', 'work_dir_full'])(
      'of something that every call needs (%s), nothing is counted however often it happens, and the worker pauses',
      async (code) => {
        for (let n = 0; n < 10; n += 1) {
          const outcome = await throwing({ kind: 'transient', code, message: 'Not now.' });
          expect(outcome).toEqual({ kind: 'retry', reason: code, pauseUntil: expect.any(Date) });
          offset += HOUR;
        }
        expect(await read()).toMatchObject({ status: 'transcribing', failures: 0, lastFailure: { code } });
      },
    );

    it('because a circuit is open, nothing is counted, and the worker pauses until it may be closed', async () => {
      const retryAt = new Date(Date.now() + 10_000);
      const unavailable = { code: 'engine_unavailable', message: 'Not now.' };
      const outcome = await run(async () => {
        throw new CircuitOpen(unavailable, retryAt);
      });
      expect(outcome).toEqual({ kind: 'retry', reason: 'engine_unavailable', pauseUntil: retryAt });
      expect(await read()).toMatchObject({ failures: 0, nextAttemptAt: retryAt });
    });

    it.each([
      ['counted', 1, 1_000],
      ['not counted', 0, -1_000],
    ])(
      'because a request got no answer, it is %s by when the engine answered another one',
      async (_, failures, offsetMs) => {
        const unanswered: Failure = { kind: 'unanswered', code: 'engine_error', message: 'An internal error.' };
        const outcome = await throwing(unanswered, { answeredAt: new Date(Date.now() + offsetMs) });
        expect(outcome).toEqual({ kind: 'retry', reason: 'engine_error' });
        expect(await read()).toMatchObject({ failures });
      },
    );

    it('because the engine is away, nothing is counted, and the worker pauses', async () => {
      const away: Failure = { kind: 'unavailable', code: 'engine_unreachable', message: 'No connection.' };
      const outcome = await throwing(away, { answeredAt: new Date(Date.now() + HOUR) });
      expect(outcome).toEqual({
        kind: 'retry',
        reason: 'engine_unreachable',
        pauseUntil: (await read())?.nextAttemptAt,
      });
      expect(await read()).toMatchObject({ failures: 0, waiting: { for: 'speech_engine' } });
    });

    it('of something that passes, it waits and is counted', async () => {
      const outcome = await throwing({ kind: 'transient', code: 'engine_down', message: 'Away.' });
      expect(outcome).toEqual({ kind: 'retry', reason: 'engine_down' });
      expect(await read()).toMatchObject({ failures: 1, lastFailure: { kind: 'transient', code: 'engine_down' } });
      expect((await read())?.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now());
    });

    it('of a rate limit, the worker pauses until the engine said, and nothing is counted', async () => {
      const until = new Date(Date.now() + 20_000);
      expect(await throwing({ kind: 'rate-limited', code: 'rate_limit', message: 'Slower.', until })).toEqual({
        kind: 'retry',
        reason: 'rate_limit',
        pauseUntil: until,
      });
      expect(await read()).toMatchObject({ failures: 0, nextAttemptAt: until });
    });

    it('of an empty account, the worker pauses and the operator reads an error', async () => {
      const outcome = await throwing({ kind: 'out-of-quota', code: 'insufficient_quota', message: 'Pay.' });
      expect(outcome).toEqual({
        kind: 'retry',
        reason: 'insufficient_quota',
        pauseUntil: (await read())?.nextAttemptAt,
      });
      expect(await read()).toMatchObject({ failures: 0 });
      expect(lines).toContainEqual(expect.objectContaining({ level: 'error', code: 'insufficient_quota', callId }));
    });

    it('of a file that cannot be worked on, the call is failed and the message done', async () => {
      expect(await throwing({ kind: 'rejected', code: 'unreadable', message: 'Convert it.' })).toEqual({
        kind: 'done',
      });
      expect(await read()).toMatchObject({ status: 'failed', failure: { code: 'unreadable', message: 'Convert it.' } });
    });

    it.each([new TypeError('x is undefined'), 'a string', undefined, null, { odd: true }])(
      'of anything else (%p), it is a bug of ours, counted and logged',
      async (thrown) => {
        const outcome = await run(async () => {
          throw thrown;
        });
        expect(outcome).toEqual({ kind: 'retry', reason: 'internal_error' });
        expect(await read()).toMatchObject({
          failures: 1,
          lease: null,
          lastFailure: { kind: 'bug', code: 'internal_error' },
        });
        expect(lines).toContainEqual(expect.objectContaining({ level: 'error', code: 'internal_error' }));
      },
    );

    it('before it began to wait for anything, it is settled all the same', async () => {
      const outcome = await run((() => {
        throw new Error('at once');
      }) as () => Promise<void>);
      expect(outcome).toEqual({ kind: 'retry', reason: 'internal_error' });
    });
  });

  describe('when the store does not answer', () => {
    it('a call that could not be claimed waits as it was, and the worker pauses', async () => {
      const before = await read();
      const unlock = lockWrites(file);
      const outcome = await run(async () => {});
      unlock();
      expect(outcome).toEqual({ kind: 'retry', reason: 'store_unavailable', pauseUntil: expect.any(Date) });
      expect(await read()).toEqual(before);
    });

    it.each(['a failed attempt', 'a stop'])(
      '%s that could not be written down loses nothing: the lease ends and the call is taken back',
      async (what) => {
        const stopping = stop();
        let unlock = () => {};
        const outcome = await run(async () => {
          unlock = lockWrites(file);
          if (what === 'a stop') stopping.abort();
          throw new Error('no');
        }, stopping);
        expect(outcome).toEqual({ kind: 'retry', reason: 'store_unavailable', pauseUntil: expect.any(Date) });
        unlock();
        expect(await read()).toMatchObject({ status: 'transcribing', attempt: 1, lease: { until: expect.any(Date) } });
        offset = HOUR;
        expect(await calls.reclaimExpired()).toBe(1);
        offset = 2 * HOUR;
        expect(await calls.grant(callId)).not.toBeNull();
        expect(await calls.claim(callId, 'transcription', 'next')).toHaveProperty('lease');
      },
    );

    it('for one renewal, the next one keeps the lease', async () => {
      const outcome = await run(async ({ lease, signal }) => {
        const unlock = lockWrites(file);
        await until(() => lines.some(({ msg }) => msg === 'could not renew the lease'), 'a renewal has failed');
        unlock();
        const before = await read();
        await until(read, (now) => now?.version !== before?.version);
        expect(signal.aborted).toBe(false);
        assertLeaseHeld(await calls.commitTranscript(lease, transcript));
      });
      expect(outcome).toEqual({ kind: 'done' });
    });

    it('because of a bug in it, the message is delivered again', async () => {
      execute(file, 'ALTER TABLE calls RENAME COLUMN attempt TO attempts');
      await expect(run(async () => {})).rejects.toThrow('no such column');
    });
  });

  it('assertLeaseHeld throws for a write that was refused', () => {
    expect(() => assertLeaseHeld(false)).toThrow(LeaseLost);
    expect(() => assertLeaseHeld(true)).not.toThrow();
  });
});
