import { describe, expect, it } from '@jest/globals';
import { analyzeAgain } from './corrections.ts';
import { failAttempt, reclaim } from './failures.ts';
import type { Call } from './record.ts';
import {
  analysis,
  analyzing,
  at,
  completed,
  HOUR,
  internalWrite,
  lease,
  now,
  policy,
  queued,
  SECOND,
  transcribing,
  transcript,
  transient,
  write,
} from './transitions.fixture.ts';
import * as transitions from './transitions.ts';

describe('grant', () => {
  it('holds a ready call for a worker, and ends a delay that is over', () => {
    expect(write(transitions.grant(queued, now, policy))).toEqual(
      internalWrite({ grantedUntil: at(policy.grantMs), nextAttemptAt: null }),
    );
    expect(write(transitions.grant({ ...queued, nextAttemptAt: now }, now, policy))).toMatchObject({
      change: { nextAttemptAt: null },
    });
  });

  it.each([
    ['granted already', { ...queued, grantedUntil: at(1) }],
    ['its time has not come', { ...queued, nextAttemptAt: at(1) }],
    ['someone works on it', transcribing],
    ['already completed', completed],
  ])('is refused: %s', (refused, call) => {
    expect(transitions.grant(call, now, policy)).toEqual({ refused });
  });

  it.each([at(0), at(-HOUR), at(HOUR + 1)])('counts a grant until %s as over', (grantedUntil) => {
    expect(transitions.grant({ ...queued, grantedUntil }, now, policy)).toHaveProperty('write');
  });
});

describe('a call whose account may spend no more today', () => {
  it('keeps its place, its state and its count, and is ready again soon', () => {
    const granted = { ...queued, grantedUntil: at(1) };
    expect(write(transitions.refuseClaim(granted, 'transcription', now))).toEqual(
      internalWrite({ lease: null, grantedUntil: null, nextAttemptAt: at(2 * SECOND) }),
    );
  });

  it.each([
    ['someone works on it', transcribing],
    ['already completed', completed],
    ['its time has not come', { ...queued, nextAttemptAt: at(1) }],
    ['waits for analysis', { ...queued, stage: 'analysis' } as const],
  ])('is left alone: %s', (refused, call) => {
    expect(transitions.refuseClaim(call, 'transcription', now)).toEqual({ refused });
  });
});

describe('the end of a wait', () => {
  it.each([
    ['a delay that is over', { ...queued, nextAttemptAt: now }],
    ['a grant that nobody claimed in time', { ...queued, grantedUntil: at(-1) }],
    ['both', { ...queued, grantedUntil: at(-1), nextAttemptAt: at(-1) }],
    ['a time from before the clock was set back', { ...queued, nextAttemptAt: at(HOUR + 1) }],
  ])('makes a call ready: %s', (_, call) => {
    expect(write(transitions.endWait(call, now))).toEqual(
      internalWrite({ lease: null, grantedUntil: null, nextAttemptAt: null }),
    );
  });

  it.each([
    ['ready already', queued],
    ['granted', { ...queued, grantedUntil: at(1) }],
    ['its time has not come', { ...queued, nextAttemptAt: at(1) }],
    ['its time has not come', { ...queued, grantedUntil: at(-1), nextAttemptAt: at(1) }],
    ['someone works on it', transcribing],
    ['already completed', completed],
  ])('is refused: %s', (refused, call) => {
    expect(transitions.endWait(call, now)).toEqual({ refused });
  });
});

describe('claim', () => {
  it('starts the stage under a new attempt, visible to the reader when the status changes', () => {
    const taken = {
      attempt: 1,
      lease: { worker: 'me', since: now, until: at(policy.leaseMs) },
      grantedUntil: null,
      nextAttemptAt: null,
    };
    expect(write(transitions.claim(queued, 'transcription', 'me', now, policy))).toEqual(
      internalWrite({ ...taken, status: 'transcribing', updatedAt: now }),
    );
    const again = { ...transcribing, lease: null };
    expect(write(transitions.claim(again, 'transcription', 'me', now, policy))).toEqual(
      internalWrite({ ...taken, attempt: 5 }),
    );
  });

  it.each([
    ['waits for transcription', queued, 'analysis'],
    ['already completed', completed, 'analysis'],
    ['someone works on it', transcribing, 'transcription'],
    ['its time has not come', { ...queued, nextAttemptAt: at(HOUR) }, 'transcription'],
  ] as const)('is refused: %s', (refused, call, stage) => {
    expect(transitions.claim(call, stage, 'me', now, policy)).toEqual({ refused });
  });

  it('counts a delay further ahead than any can be as over', () => {
    expect(
      transitions.claim({ ...queued, nextAttemptAt: at(HOUR + 1) }, 'transcription', 'me', now, policy),
    ).toHaveProperty('write');
  });
});

describe('what a worker writes', () => {
  const byTheHolder: [string, (attempt: number) => transitions.Decision][] = [
    ['renew', (attempt) => transitions.renew(transcribing, attempt, now, policy)],
    ['measured', (attempt) => transitions.measured(transcribing, attempt, 1)],
    ['transcribed', (attempt) => transitions.transcribed(transcribing, attempt, transcript, now)],
    ['analyzed', (attempt) => transitions.analyzed(analyzing, attempt, analysis, now)],
    ['failAttempt', (attempt) => failAttempt(transcribing, attempt, transient, now, now, policy)],
    ['release', (attempt) => transitions.release(transcribing, attempt)],
    ['reclaim', (attempt) => reclaim({ ...transcribing, lease: { ...lease, until: now } }, attempt, now, now, policy)],
  ];
  it.each(byTheHolder)('%s counts under its own attempt, and not under one before or after it', (_, decide) => {
    expect(decide(4)).toHaveProperty('write');
    expect(decide(3)).toEqual({ refused: 'the lease is lost' });
    expect(decide(5)).toEqual({ refused: 'the lease is lost' });
  });

  it('renewing lengthens the lease, and begins it anew when the clock was set back', () => {
    const until = at(policy.leaseMs);
    expect(write(transitions.renew(transcribing, 4, now, policy))).toEqual(
      internalWrite({ lease: { ...lease, until } }),
    );
    const early = { ...transcribing, lease: { ...lease, since: at(HOUR) } };
    expect(write(transitions.renew(early, 4, now, policy))).toEqual(
      internalWrite({ lease: { worker: 'w', since: now, until } }),
    );
  });

  it('a transcript moves the call on, durably, with its event, and wipes what went before', () => {
    const failed = { ...transcribing, failures: 2, lastFailure: { kind: 'bug', code: 'x', message: 'x', at: now } };
    expect(write(transitions.transcribed(failed, 4, transcript, now))).toEqual({
      change: {
        status: 'analyzing',
        stage: 'analysis',
        updatedAt: now,
        readySince: now,
        lease: null,
        grantedUntil: null,
        nextAttemptAt: null,
        failures: 0,
        waiting: null,
        lastFailure: null,
        language: 'de',
        transcript,
        audio: { seconds: 61 },
      },
      events: ['call.transcribed'],
      durable: true,
    });
    expect(transitions.transcribed(analyzing, 4, transcript, now)).toEqual({ refused: 'not in transcription' });
  });

  it('an analysis completes the call, durably, with its event, and lets its audio go', () => {
    expect(write(transitions.analyzed(analyzing, 4, analysis, now))).toMatchObject({
      change: {
        status: 'completed',
        stage: null,
        lease: null,
        language: 'de',
        score: 80,
        audio: { deleteAfter: now },
        analysis,
      },
      events: ['call.completed'],
      durable: true,
    });
    expect(transitions.analyzed(transcribing, 4, analysis, now)).toEqual({ refused: 'not in analysis' });
  });

  it('releasing keeps the place in the queue', () => {
    expect(write(transitions.release(transcribing, 4))).toEqual(
      internalWrite({ lease: null, grantedUntil: null, nextAttemptAt: null }),
    );
  });
});

describe('audio that is gone', () => {
  it('is recorded once, of a finished call alone', () => {
    expect(write(transitions.audioDeleted(completed, now))).toEqual({
      change: { audio: { deletedAt: now } },
      events: ['audio.deleted'],
      durable: false,
    });
    expect(transitions.audioDeleted(transcribing, now)).toEqual({ refused: 'still transcribing' });
    expect(transitions.audioDeleted({ ...completed, audio: { ...completed.audio, deletedAt: now } }, now)).toEqual({
      refused: 'known already',
    });
  });
});

describe('a new analysis', () => {
  it('sends a completed call to analysis again; durably, with its event', () => {
    const again = (call: Call) =>
      analyzeAgain(call, 4, analysis, transcript, { reportType: 'detailed', analysisEngine: null }, now);
    expect(write(again(completed))).toMatchObject({
      change: {
        status: 'analyzing',
        stage: 'analysis',
        readySince: now,
        score: null,
        transcript,
        reportType: 'detailed',
      },
      events: ['call.transcribed'],
      durable: true,
    });
    for (const call of [analyzing, { ...completed, attempt: 5 }])
      expect(again(call)).toEqual({ refused: 'not completed' });
  });
});

describe('removal', () => {
  const removal = { at: now, until: at(30 * SECOND), stage: 'transcription', final: false } as const;
  const removed: Call = { ...queued, stage: null, removal };

  it('ends the attempt, leaves nothing for the dispatcher, and remembers the stage; durably, with its event', () => {
    expect(write(transitions.remove(transcribing, now, 30 * SECOND))).toEqual({
      change: {
        status: 'transcribing',
        stage: null,
        attempt: 5,
        lease: null,
        grantedUntil: null,
        nextAttemptAt: null,
        removal,
      },
      events: ['call.removed'],
      durable: true,
    });
    expect(transitions.remove(removed, now, 30 * SECOND)).toEqual({ refused: 'removed already' });
  });

  it('is final at once when there is no time to restore it', () => {
    expect(write(transitions.remove(completed, now, 0))).toMatchObject({
      change: { removal: { until: now, stage: null, final: true } },
    });
  });

  it('by retention takes a finished call alone, after its time, for good', () => {
    expect(transitions.expire(completed, at(0), now)).toEqual(transitions.remove(completed, now, 0));
    expect(transitions.expire(completed, completed.updatedAt, now)).toEqual({ refused: 'its time has not come' });
    expect(transitions.expire(transcribing, at(0), now)).toEqual({ refused: 'still transcribing' });
    expect(transitions.expire(removed, at(0), now)).toEqual({ refused: 'removed already' });
  });

  it('is undone within its time: back to the stage, durably, with its event', () => {
    const back = {
      change: { status: 'queued', stage: 'transcription', removal: null },
      events: ['call.restored'],
      durable: true,
    };
    expect(write(transitions.restore(removed, at(30 * SECOND - 1)))).toEqual(back);
  });

  it.each([
    ['not removed', queued, now],
    ['too late', removed, at(30 * SECOND)],
    ['too late', removed, at(-2 * HOUR)],
    ['too late', { ...removed, removal: { ...removal, final: true } }, now],
  ])('is not undone: %s', (refused, call, when) => {
    expect(transitions.restore(call, when)).toEqual({ refused });
  });

  it('is finished when its time is over', () => {
    const done = { change: { status: 'queued', removal: { ...removal, final: true } }, events: [], durable: true };
    expect(write(transitions.finishRemoval(removed, at(30 * SECOND)))).toEqual(done);
    expect(transitions.finishRemoval(removed, now)).toEqual({ refused: 'its time has not come' });
    expect(transitions.finishRemoval(queued, now)).toEqual({ refused: 'not removed' });
    expect(transitions.finishRemoval({ ...removed, removal: { ...removal, final: true } }, now)).toEqual({
      refused: 'final already',
    });
  });

  it('leaves the call to nobody', () => {
    expect(transitions.grant(removed, now, policy)).toEqual({ refused: 'removed' });
    expect(transitions.claim(removed, 'transcription', 'me', now, policy)).toEqual({ refused: 'removed' });
    expect(transitions.audioDeleted(removed, now)).toEqual({ refused: 'still queued' });
  });
});
