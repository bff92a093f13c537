import { execute, lockWrites } from '@call-analytics/calls/sqlite/other-process.fixture.ts';
import { CircuitOpen, type Failure } from '@call-analytics/service-kit';
import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import {
  callId,
  calls,
  clock,
  file,
  HOUR,
  lines,
  read,
  run,
  stop,
  throwing,
  transcript,
} from './stage-worker.fixture.ts';
import { assertLeaseHeld } from './stage-worker.ts';

describe('working on a stage, when a try fails', () => {
  it.each(['audio_store_unavailable', 'store_unavailable', 'work_dir_full'])(
    'of something that every call needs (%s), nothing is counted however often it happens, and the worker pauses',
    async (code) => {
      for (let n = 0; n < 10; n += 1) {
        const outcome = await throwing({ kind: 'transient', code, message: 'Not now.' });
        expect(outcome).toEqual({ kind: 'retry', reason: code, pauseUntil: expect.any(Date) });
        clock.offsetMs += HOUR;
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

describe('working on a stage, when the store does not answer', () => {
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
      clock.offsetMs = HOUR;
      expect(await calls.reclaimExpired()).toBe(1);
      clock.offsetMs = 2 * HOUR;
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
