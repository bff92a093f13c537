import { describe, expect, it } from '@jest/globals';
import type { Call } from './record.ts';
import * as removals from './removals.ts';
import { at, completed, HOUR, now, policy, queued, SECOND, transcribing, write } from './transitions.fixture.ts';
import * as transitions from './transitions.ts';

describe('removal', () => {
  const removal = { at: now, until: at(30 * SECOND), stage: 'transcription', final: false } as const;
  const removed: Call = { ...queued, stage: null, removal };

  it('ends the attempt, leaves nothing for the dispatcher, and remembers the stage; durably, with its event', () => {
    expect(write(removals.remove(transcribing, now, 30 * SECOND))).toEqual({
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
    expect(removals.remove(removed, now, 30 * SECOND)).toEqual({ refused: 'removed already' });
  });

  it('is final at once when there is no time to restore it', () => {
    expect(write(removals.remove(completed, now, 0))).toMatchObject({
      change: { removal: { until: now, stage: null, final: true } },
    });
  });

  it('by retention takes a finished call alone, after its time, for good', () => {
    expect(removals.expire(completed, at(0), now)).toEqual(removals.remove(completed, now, 0));
    expect(removals.expire(completed, completed.updatedAt, now)).toEqual({ refused: 'its time has not come' });
    expect(removals.expire(transcribing, at(0), now)).toEqual({ refused: 'still transcribing' });
    expect(removals.expire(removed, at(0), now)).toEqual({ refused: 'removed already' });
  });

  it('is undone within its time: back to the stage, durably, with its event', () => {
    const back = {
      change: { status: 'queued', stage: 'transcription', removal: null },
      events: ['call.restored'],
      durable: true,
    };
    expect(write(removals.restore(removed, at(30 * SECOND - 1)))).toEqual(back);
  });

  it.each([
    ['not removed', queued, now],
    ['too late', removed, at(30 * SECOND)],
    ['too late', removed, at(-2 * HOUR)],
    ['too late', { ...removed, removal: { ...removal, final: true } }, now],
  ])('is not undone: %s', (refused, call, when) => {
    expect(removals.restore(call, when)).toEqual({ refused });
  });

  it('is finished when its time is over', () => {
    const done = { change: { status: 'queued', removal: { ...removal, final: true } }, events: [], durable: true };
    expect(write(removals.finishRemoval(removed, at(30 * SECOND)))).toEqual(done);
    expect(removals.finishRemoval(removed, now)).toEqual({ refused: 'its time has not come' });
    expect(removals.finishRemoval(queued, now)).toEqual({ refused: 'not removed' });
    expect(removals.finishRemoval({ ...removed, removal: { ...removal, final: true } }, now)).toEqual({
      refused: 'final already',
    });
  });

  it('leaves the call to nobody', () => {
    expect(transitions.grant(removed, now, policy)).toEqual({ refused: 'removed' });
    expect(transitions.claim(removed, 'transcription', 'me', now, policy)).toEqual({ refused: 'removed' });
    expect(transitions.audioDeleted(removed, now)).toEqual({ refused: 'still queued' });
  });
});
