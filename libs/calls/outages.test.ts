import type { Failure } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import type { Call } from './record.ts';
import {
  analyzing,
  at,
  HOUR,
  internalWrite,
  now,
  policy,
  SECOND,
  transcribing,
  transient,
  write,
} from './transitions.fixture.ts';
import * as transitions from './transitions.ts';

describe('a dependency that does not work', () => {
  const away: Failure = { kind: 'unavailable', code: 'engine_unreachable', message: 'No connection.' };
  const after = (call: Call, failure: Failure, then = now) =>
    write(transitions.failAttempt(call, 4, failure, at(1), then, policy));

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
