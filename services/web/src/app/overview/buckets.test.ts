import { describe, expect, it } from '@jest/globals';
import { buckets } from './buckets.ts';
import { plusDays } from './days.ts';

const day = (date: string, calls = 3) => ({ date, calls, completed: 1, failed: 1, averageScore: null });
const days = (from: string, count: number) => Array.from({ length: count }, (_, index) => day(plusDays(from, index)));

describe('the bars of the overview', () => {
  it('are days, with what is neither completed nor failed still in work', () => {
    expect(buckets([day('2026-11-21', 5)])).toEqual({
      by: 'day',
      buckets: [{ from: '2026-11-21', completed: 1, failed: 1, inWork: 3 }],
    });
  });

  it('are weeks from Monday when the days are too many, and lose no call', () => {
    const { by, buckets: weeks } = buckets(days('2026-01-01', 90));
    expect(by).toBe('week');
    expect(weeks.slice(0, 3)).toEqual([
      { from: '2026-01-01', completed: 4, failed: 4, inWork: 4 },
      { from: '2026-01-05', completed: 7, failed: 7, inWork: 7 },
      { from: '2026-01-12', completed: 7, failed: 7, inWork: 7 },
    ]);
    expect(weeks.reduce((sum, { completed }) => sum + completed, 0)).toBe(90);
  });
});
