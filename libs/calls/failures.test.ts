import type { Failure } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import * as failures from './failures.ts';
import type { Call } from './record.ts';
import {
  analyzing,
  at,
  completed,
  HOUR,
  internalWrite,
  now,
  policy,
  queued,
  SECOND,
  transcribing,
  transient,
  write,
} from './transitions.fixture.ts';
import * as transitions from './transitions.ts';

describe('a dependency that does not work', () => {
  const away: Failure = { kind: 'unavailable', code: 'engine_unreachable', message: 'No connection.' };
  const after = (call: Call, failure: Failure, then = now) =>
    write(failures.failAttempt(call, 4, failure, at(1), then, policy));

  it.each<[Failure['kind'], string]>([
    ['unavailable', 'engine_unreachable'],
    ['out-of-quota', 'engine_key_refused'],
    ['rate-limited', 'engine_rate_limited'],
  ])('is waited for and not counted: %s %s', (kind, code) => {
    expect(
      after({ ...transcribing, failures: 2 }, { kind, code, message: 'x', until: at(1) } as Failure),
    ).toMatchObject({
      change: { failures: 2, nextAttemptAt: at(1), waiting: { for: 'speech_engine', since: now } },
      events: [],
    });
  });

  it.each([
    ['engine_unavailable', 'transcription', 'speech_engine'],
    ['engine_unavailable', 'analysis', 'analysis_engine'],
    ['audio_store_unavailable', 'transcription', 'storage'],
    ['store_full', 'analysis', 'storage'],
    ['work_dir_full', 'transcription', 'storage'],
    ['decoder_not_started', 'transcription', 'decoder'],
  ] as const)('is named: %s in %s is the %s', (code, stage, dependency) => {
    const call = stage === 'analysis' ? analyzing : transcribing;
    expect(after(call, { ...away, code })).toMatchObject({ change: { waiting: { for: dependency } } });
  });

  it('is waited for since the first try that met it, and anew when it is another one', () => {
    const waiting = { ...transcribing, waiting: { for: 'speech_engine' as const, since: at(-HOUR) } };
    expect(after(waiting, away)).toMatchObject({ change: { waiting: { since: at(-HOUR) } } });
    expect(after(waiting, { ...away, code: 'audio_store_unavailable' })).toMatchObject({
      change: { waiting: { since: now } },
    });
    const ahead = { ...transcribing, waiting: { for: 'speech_engine' as const, since: at(HOUR) } };
    expect(after(ahead, away)).toMatchObject({ change: { waiting: { since: now } } });
  });

  it('fails the call when the limit is over, and the owner reads why', () => {
    const waiting = { ...transcribing, waiting: { for: 'speech_engine' as const, since: at(-policy.outageLimitMs) } };
    expect(after(waiting, away, at(-1))).toMatchObject({ change: { waiting: { for: 'speech_engine' } } });
    expect(after(waiting, away)).toMatchObject({
      change: {
        status: 'failed',
        waiting: null,
        failure: {
          code: 'speech_engine_unavailable',
          message: 'The speech engine was unavailable for 24 hours. Retry the call.',
        },
        lastFailure: { code: 'engine_unreachable' },
      },
      events: ['call.failed'],
    });
  });

  it('is no longer waited for after a failure that counts', () => {
    const waiting = { ...transcribing, waiting: { for: 'speech_engine' as const, since: at(-HOUR) } };
    expect(after(waiting, transient)).toMatchObject({ change: { waiting: null, failures: 1 } });
    expect(after(waiting, { ...transient, kind: 'unanswered' })).toMatchObject({
      change: { waiting: null, failures: 1 },
    });
  });

  it('is no longer waited for when the engine has answered since, or when the work goes on', () => {
    const waiting = { for: 'speech_engine' as const, since: at(-HOUR) };
    const rested: Call = {
      ...transcribing,
      lease: null,
      waiting,
      lastFailure: { kind: 'unavailable', code: 'engine_unreachable', message: 'x', at: at(-SECOND) },
    };
    const claimed = (answeredAt: Date | null) =>
      write(transitions.claim(rested, 'transcription', 'me', now, policy, answeredAt));
    expect(claimed(at(-1))).toMatchObject({ change: { waiting: null } });
    for (const early of [null, at(-SECOND)]) expect(claimed(early)).not.toHaveProperty('change.waiting');
    expect(write(transitions.clearWaiting({ ...transcribing, waiting }, 4))).toEqual(internalWrite({ waiting: null }));
    expect(transitions.clearWaiting(transcribing, 4)).toEqual({ refused: 'waits for nothing' });
    expect(transitions.clearWaiting({ ...transcribing, waiting }, 3)).toEqual({ refused: 'the lease is lost' });
  });
});

describe('a try that does not succeed', () => {
  const failAttempt = (failure: Failure, counted: number, until = at(SECOND)) =>
    write(failures.failAttempt({ ...transcribing, failures: counted }, 4, failure, until, now, policy));
  const others: Failure[] = [
    { kind: 'rate-limited', code: 'x', message: 'x', until: at(SECOND) },
    { kind: 'out-of-quota', code: 'x', message: 'x' },
  ];

  it.each([transient, { ...transient, kind: 'bug' } as const])('counts and waits ($kind)', (failure) => {
    expect(failAttempt(failure, 0)).toMatchObject({
      change: {
        failures: 1,
        nextAttemptAt: at(SECOND),
        lease: null,
        lastFailure: { kind: failure.kind, code: 'engine_down', at: now },
      },
      events: [],
      durable: false,
    });
    expect(failAttempt(failure, 2)).toMatchObject({
      change: {
        status: 'failed',
        stage: null,
        failures: 3,
        failure: { code: 'engine_down', message: transient.message },
        audio: { deleteAfter: at(policy.failedAudioRetentionMs) },
      },
      events: ['call.failed'],
      durable: true,
    });
  });

  it.each(others)(
    'waits and does not count, not even a call that would have failed under a stricter policy ($kind)',
    (failure) => {
      expect(failAttempt(failure, 2)).toMatchObject({ change: { failures: 2, nextAttemptAt: at(SECOND) }, events: [] });
      expect(failAttempt(failure, 7)).toMatchObject({ change: { failures: 7, nextAttemptAt: at(SECOND) }, events: [] });
    },
  );

  it('of a file that was rejected is the last', () => {
    expect(failAttempt({ kind: 'rejected', code: 'unreadable', message: 'No.' }, 0)).toMatchObject({
      change: { status: 'failed', failures: 0, failure: { code: 'unreadable', message: 'No.' } },
    });
  });

  it('waits no longer than an hour', () => {
    expect(failAttempt(transient, 0, at(2 * HOUR))).toMatchObject({ change: { nextAttemptAt: at(HOUR) } });
  });
});

describe('taking back', () => {
  const ended: [string, boolean, { since: Date; until: Date }][] = [
    ['runs', false, { since: at(-1), until: at(1) }],
    ['is over', true, { since: at(-1), until: at(0) }],
    ['began a little in the future, as clocks differ', false, { since: at(60 * SECOND), until: at(HOUR) }],
    ['began far in the future, as the clock was set back', true, { since: at(60 * SECOND + 1), until: at(HOUR) }],
  ];
  it.each(ended)('a lease that %s: %s', (_, isOver, times) => {
    const call = { ...transcribing, lease: { worker: 'w', ...times } };
    const decision = failures.reclaim(call, 4, at(SECOND), now, policy);
    if (isOver)
      expect(write(decision)).toMatchObject({
        change: { failures: 1, lease: null, lastFailure: { code: 'worker_lost' } },
      });
    else expect(decision).toEqual({ refused: 'the lease was renewed' });
  });
});

describe('the end by an operator', () => {
  it('fails the call under a new attempt, so that its worker loses the lease; durably, with its event', () => {
    expect(write(failures.fail(transcribing, 'The recording is damaged.', now, policy))).toEqual({
      change: {
        status: 'failed',
        updatedAt: now,
        stage: null,
        attempt: 5,
        lease: null,
        grantedUntil: null,
        nextAttemptAt: null,
        waiting: null,
        failure: { code: 'ended_by_operator', message: 'The recording is damaged.' },
        audio: { deleteAfter: at(policy.failedAudioRetentionMs) },
      },
      events: ['call.failed'],
      durable: true,
    });
  });

  it.each([
    ['already completed', completed],
    ['removed', { ...queued, removal: { at: now, until: now, stage: null, final: false } }],
  ])('is refused: %s', (refused, call) => {
    expect(failures.fail(call, 'No.', now, policy)).toEqual({ refused });
  });
});

it('a status never goes where the contract does not let it', () => {
  const impossible: Call = { ...analyzing, status: 'completed' };
  expect(() =>
    failures.failAttempt(impossible, 4, { kind: 'rejected', code: 'x', message: 'x' }, now, now, policy),
  ).toThrow('illegal transition completed -> failed');
});

describe('a retry', () => {
  const failed: Call = {
    ...queued,
    status: 'failed',
    stage: null,
    attempt: 4,
    failures: 3,
    failure: { code: 'x', message: 'x' },
    lastFailure: { kind: 'transient', code: 'x', message: 'x', at: at(-HOUR) },
    audio: { ...queued.audio, deleteAfter: at(HOUR) },
  };

  it('puts a failed call into the queue of its stage, counts anew and keeps its recording', () => {
    expect(write(failures.retry(failed, 'transcription', now))).toEqual({
      change: {
        status: 'queued',
        updatedAt: now,
        stage: 'transcription',
        lease: null,
        grantedUntil: null,
        nextAttemptAt: null,
        readySince: now,
        failures: 0,
        retries: 1,
        lastFailure: null,
        failure: null,
        audio: { deleteAfter: null },
      },
      events: ['call.retried'],
      durable: true,
    });
  });

  const due = (ms: number) => ({ ...failed, audio: { ...failed.audio, deleteAfter: at(ms) } });
  const gone = { ...failed, audio: { ...failed.audio, deletedAt: at(-1) } };
  it.each([
    ['not failed', queued],
    ['not failed', transcribing],
    ['not failed', completed],
    ['removed', { ...failed, removal: { at: now, until: at(1), stage: null, final: false } }],
    ['nothing kept', gone],
    ['nothing kept', due(0)],
    ['nothing kept', due(60 * SECOND)],
    ['nothing kept', { ...failed, failure: { code: 'audio_empty', message: 'x' } }],
  ])('is refused: %s', (refused, call) => {
    expect(failures.retry(call, 'transcription', now)).toEqual({ refused });
    if (call.removal === null) expect(failures.isRetryable(call, false, now)).toBe(false);
  });

  it('of the analysis needs no recording', () => {
    expect(write(failures.retry(gone, 'analysis', now))).toMatchObject({
      change: { status: 'queued', stage: 'analysis' },
    });
  });
});
