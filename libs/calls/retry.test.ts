import { describe, expect, it } from '@jest/globals';
import type { Call } from './record.ts';
import { at, completed, HOUR, now, queued, SECOND, transcribing, write } from './transitions.fixture.ts';
import * as transitions from './transitions.ts';

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
    expect(write(transitions.retry(failed, 'transcription', now))).toEqual({
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
    expect(transitions.retry(call, 'transcription', now)).toEqual({ refused });
    if (call.removal === null) expect(transitions.isRetryable(call, false, now)).toBe(false);
  });

  it('of the analysis needs no recording', () => {
    expect(write(transitions.retry(gone, 'analysis', now))).toMatchObject({
      change: { status: 'queued', stage: 'analysis' },
    });
  });
});
