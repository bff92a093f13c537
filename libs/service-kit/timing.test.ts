import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs } from './timing.ts';

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
