import { beforeAll, describe, expect, it } from '@jest/globals';
import { interval, spearman } from './measure.ts';
import { type Quality, qualityOf } from './report.ts';

const FALSE = ({ of, holds }: { of: number; holds: number }) => of - holds;

// The bounds are what was measured on calls that nobody tuned to (docs/scoring.md), so that a change for the worse shows.
describe('the rules on unseen calls with two channels', () => {
  let measured: Quality['channels'];
  beforeAll(async () => {
    measured = (await qualityOf('unseen')).channels;
  });

  it('find the kind of most calls', () => {
    expect(measured.shares.kind.of).toBeGreaterThanOrEqual(50);
    expect(measured.shares.kind.holds).toBeGreaterThanOrEqual(48);
    expect(FALSE(measured.shares.othersUnscored)).toBeLessThanOrEqual(1);
  });

  it('find how the sale ended and what happens next', () => {
    expect(measured.shares.saleStatus.holds).toBeGreaterThanOrEqual(35);
    expect(measured.shares.nextStep.holds).toBeGreaterThanOrEqual(30);
  });

  it('accuse and misname no more often than measured', () => {
    expect(FALSE(measured.fields.mistakes.precision)).toBeLessThanOrEqual(4);
    expect(FALSE(measured.fields.objections.precision)).toBeLessThanOrEqual(9);
    expect(FALSE(measured.fields.product.precision)).toBe(0);
    expect(measured.fields.objections.recall.holds).toBeGreaterThanOrEqual(23);
  });
});

describe('the measures', () => {
  it('rank equal values alike', () => {
    expect(
      spearman([
        [1, 10],
        [2, 20],
        [3, 30],
      ]),
    ).toBe(1);
    expect(
      spearman([
        [1, 30],
        [2, 20],
        [3, 10],
      ]),
    ).toBe(-1);
    expect(
      spearman([
        [1, 1],
        [1, 1],
        [2, 1],
      ]),
    ).toBe(0);
  });
  it('give the interval of Wilson', () => {
    const [low, high] = interval({ of: 10, holds: 8 });
    expect(low).toBeCloseTo(0.49, 2);
    expect(high).toBeCloseTo(0.943, 2);
    expect(interval({ of: 0, holds: 0 })).toEqual([0, 1]);
  });
});
