import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seededFaults } from './seeded-faults.fixture.ts';

const many = (faults: ReturnType<typeof seededFaults>) => Array.from({ length: 1_000 }, () => faults());

describe('faults for tests', () => {
  it('are none unless they are asked for', () => {
    expect(many(seededFaults(1, {}))).toEqual(Array.from({ length: 1_000 }, () => [{ afterMs: 0, place: 1 }]));
  });

  it('are the same for the same seed, and others for another', () => {
    const chances = { drop: 0.2, duplicate: 0.2, delay: 0.5, reorder: 0.5 };
    expect(many(seededFaults(7, chances))).toEqual(many(seededFaults(7, chances)));
    expect(many(seededFaults(7, chances))).not.toEqual(many(seededFaults(8, chances)));
  });

  it('happen about as often as they were asked for', () => {
    const fates = many(seededFaults(42, { drop: 0.3, duplicate: 0.5, delay: 0.4, reorder: 0.2, delayMs: 20 }));
    const arrivals = fates.flat();
    const share = (part: number, of: number) => Math.round((part / of) * 10) / 10;
    expect(share(fates.filter((copies) => copies.length === 0).length, fates.length)).toBe(0.3);
    expect(
      share(fates.filter((copies) => copies.length === 2).length, fates.filter((copies) => copies.length > 0).length),
    ).toBe(0.5);
    expect(share(arrivals.filter(({ afterMs }) => afterMs > 0).length, arrivals.length)).toBe(0.4);
    expect(share(arrivals.filter(({ place }) => place < 1).length, arrivals.length)).toBe(0.2);
  });

  it('stay within their bounds for every seed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 1_000 }), (seed, delayMs) => {
        for (const { afterMs, place } of many(
          seededFaults(seed, { duplicate: 0.5, delay: 0.5, reorder: 0.5, delayMs }),
        ).flat()) {
          if (afterMs < 0 || afterMs > delayMs || place < 0 || place > 1)
            throw new Error(`out of bounds: ${afterMs} ${place}`);
        }
      }),
      { numRuns: 20 },
    );
  });
});
