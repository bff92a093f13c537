import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs, type Failure, failureOf, WorkError } from './failures.ts';

describe('a failure', () => {
  it('is what the error says when somebody classified it, and its message is for people', () => {
    const failure: Failure = {
      kind: 'rate-limited',
      code: 'rate_limited',
      message: 'The engine asks to wait.',
      until: new Date(0),
    };
    const error = new WorkError(failure, { cause: new Error('HTTP 429') });
    expect(failureOf(error)).toBe(failure);
    expect(error.message).toBe('The engine asks to wait.');
    expect(error.cause).toEqual(new Error('HTTP 429'));
  });

  it.each([new TypeError('x is undefined'), 'a string', undefined, null, { failure: { kind: 'transient' } }])(
    'that nobody classified is a bug of ours, and tells the caller nothing of it: %p',
    (error) => {
      expect(failureOf(error)).toEqual({
        kind: 'bug',
        code: 'internal_error',
        message: 'Something went wrong on our side.',
      });
    },
  );
});

const tries = fc.integer({ min: 1, max: 10_000 });
const firstMs = fc.integer({ min: 10, max: 10_000 });
const capMs = fc.integer({ min: 10_000, max: 3_600_000 });
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the delay before the next try', () => {
  it('is within a fifth of the doubled delay, which ends at its cap, for every number of failures', () => {
    fc.assert(
      fc.property(tries, firstMs, capMs, chance, (failures, first, cap, random) => {
        const exact = Math.min(cap, first * 2 ** (failures - 1));
        const ms = backoffMs(failures, { firstMs: first, capMs: cap, random: () => random });
        expect(ms).toBeGreaterThanOrEqual(Math.floor(exact * 0.8));
        expect(ms).toBeLessThanOrEqual(Math.ceil(exact * 1.2));
        expect(Number.isSafeInteger(ms)).toBe(true);
      }),
    );
  });

  it('grows with each failure until the cap, whatever chance says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), chance, chance, (failures, one, other) => {
        const before = backoffMs(failures, { firstMs: 100, capMs: 1e9, random: () => one });
        expect(backoffMs(failures + 1, { firstMs: 100, capMs: 1e9, random: () => other })).toBeGreaterThan(before);
      }),
    );
  });

  it('spreads calls that failed together', () => {
    expect(new Set(Array.from({ length: 100 }, () => backoffMs(5))).size).toBeGreaterThan(50);
  });
});
