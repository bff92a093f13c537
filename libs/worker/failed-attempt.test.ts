import { CircuitOpen, type Failure, WorkError } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { type AttemptFacts, failedAttempt } from './failed-attempt.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const now = new Date(Date.UTC(2026, 10, 21, 9));
const at = (ms: number) => new Date(now.getTime() + ms);

const UNANSWERED: Failure = { kind: 'unanswered', code: 'engine_error', message: 'An internal error.' };
const AWAY: Failure = { kind: 'unavailable', code: 'engine_unreachable', message: 'No connection.' };
const GARBAGE: Failure = { kind: 'transient', code: 'engine_answer_invalid', message: 'No JSON.' };
const retryAt = at(10 * SECOND);
const open = (cause?: Failure) =>
  new CircuitOpen({ code: 'engine_unavailable', message: 'Away.' }, retryAt, cause && new WorkError(cause));

const firstTry = { lastFailure: null, waiting: null };
const facts = (answeredAt: Date | null, call: AttemptFacts['call'] = firstTry): AttemptFacts => ({
  call,
  began: at(-SECOND),
  now,
  engine: { answeredAt },
});
const failedAt = (ms: number): AttemptFacts['call'] => ({
  lastFailure: { kind: 'unavailable', code: 'engine_error', message: 'x', at: at(ms) },
  waiting: { for: 'speech_engine', since: at(ms) },
});

describe('a request that got no answer', () => {
  const judged = (given: AttemptFacts) => failedAttempt(new WorkError(UNANSWERED), given);

  it.each([
    ['after this attempt began', facts(at(0))],
    ['since the call failed last', facts(at(-HOUR + SECOND), failedAt(-HOUR))],
  ])("is the call's own fault when the engine answered another one %s", (_, given) => {
    expect(judged(given)).toEqual({ failure: UNANSWERED, pauseUntil: null });
  });

  it.each([
    ['never', facts(null)],
    ['before this attempt began', facts(at(-2 * SECOND))],
    ['before the call failed last', facts(at(-HOUR - SECOND), failedAt(-HOUR))],
  ])('is not when the engine answered %s, and no other call waits for it', (_, given) => {
    expect(judged(given)).toMatchObject({ failure: { kind: 'unavailable', code: 'engine_error' }, pauseUntil: null });
  });

  it('is asked again after a quarter of the time that the call has waited, at least 2 s and at most 5 min', () => {
    const delayMs = (waitedMs: number) => {
      const { failure } = judged(facts(null, failedAt(-waitedMs)));
      return failure.kind === 'unavailable' ? (failure.until?.getTime() ?? 0) - now.getTime() : Number.NaN;
    };
    expect(delayMs(0)).toBeGreaterThanOrEqual(1.6 * SECOND);
    expect(delayMs(0)).toBeLessThanOrEqual(2.4 * SECOND);
    expect(delayMs(60 * SECOND)).toBe(15 * SECOND);
    expect(delayMs(10 * HOUR)).toBe(300 * SECOND);
  });

  it('counts when nothing tells whether the engine works', () => {
    expect(judged({ ...facts(null), engine: null })).toEqual({ failure: UNANSWERED, pauseUntil: null });
  });
});

describe('an open circuit', () => {
  const { code, message } = { code: 'engine_unavailable', message: 'Away.' };

  it('is nobody’s failure when nothing was asked: the worker pauses until it may close', () => {
    expect(failedAttempt(open(), facts(at(0)))).toEqual({
      failure: { kind: 'unavailable', code, message, until: retryAt },
      pauseUntil: retryAt,
    });
  });

  it('that was tried tells what the try met', () => {
    expect(failedAttempt(open(AWAY), facts(at(0)))).toEqual({
      failure: { ...AWAY, until: retryAt },
      pauseUntil: retryAt,
    });
    expect(failedAttempt(open(UNANSWERED), facts(null))).toMatchObject({
      failure: { kind: 'unavailable' },
      pauseUntil: retryAt,
    });
  });

  it('does not hide a failure of the call itself', () => {
    expect(failedAttempt(open(UNANSWERED), facts(at(0)))).toMatchObject({ failure: UNANSWERED });
    expect(failedAttempt(open(GARBAGE), facts(null))).toEqual({ failure: GARBAGE, pauseUntil: retryAt });
  });
});

describe('a dependency that is away', () => {
  it.each([
    AWAY,
    { ...AWAY, kind: 'transient', code: 'audio_store_unavailable' } as const,
    { ...AWAY, code: 'work_dir_full' },
  ])('is never counted, and the worker pauses: $code', (failure) => {
    const judged = failedAttempt(new WorkError(failure), facts(at(0)));
    expect(judged).toMatchObject({ failure: { kind: 'unavailable', code: failure.code } });
    expect(judged.pauseUntil?.getTime()).toBeGreaterThan(now.getTime());
  });
});
