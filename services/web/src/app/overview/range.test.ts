import { describe, expect, it } from '@jest/globals';
import { dayOf, daysBetween, endOfDay, isDay, plusDays, startOfDay } from '../common/format.ts';
import { buckets, rangeAddress, readRange } from './range.ts';

const TODAY = '2026-11-21';

describe('the range of the overview', () => {
  it('is the last 30 days when the address says nothing', () => {
    const { range, ignored } = readRange({}, TODAY);
    expect(range).toEqual({ preset: '30d', from: '2026-10-23', to: TODAY });
    expect(daysBetween(range.from, range.to)).toBe(30);
    expect(ignored).toEqual([]);
    expect(rangeAddress(range)).toEqual({});
  });

  it.each([{ days: '7d' }, { from: '2026-01-01', to: '2026-12-31' }])('stands in the address: %j', (address) => {
    const { range, ignored } = readRange(address, TODAY);
    expect(rangeAddress(range)).toEqual(address);
    expect(ignored).toEqual([]);
  });

  it.each([
    [{ days: '8d' }, ['days=8d']],
    [{ days: 'toString' }, ['days=toString']],
    [{ from: '2026-11-02', to: '2026-11-01' }, ['from=2026-11-02', 'to=2026-11-01']],
    [{ from: '2024-01-01', to: '2026-11-01' }, ['from=2024-01-01', 'to=2026-11-01']],
    [{ from: '2026-11-01' }, ['from=2026-11-01']],
    [{ color: 'red' }, ['color=red']],
  ])('is the usual one, and says so, when the address makes no sense: %j', (address, told) => {
    expect(readRange(address, TODAY)).toEqual({ range: readRange({}, TODAY).range, ignored: told });
  });
});

describe('a day', () => {
  it('exists or does not', () => {
    expect(isDay('2028-02-29')).toBe(true);
    for (const none of ['2026-02-29', '2026-13-01', '2026-1-1', 'today', '2026-11-21T00:00:00Z'])
      expect(isDay(none)).toBe(false);
  });

  it('ends where the next begins, also at the turn of a month and of a year', () => {
    for (const day of ['2026-11-21', '2026-12-31', '2026-03-29', '2026-10-25', '0099-01-01']) {
      expect(dayOf(startOfDay(day))).toBe(day);
      expect(endOfDay(day)).toEqual(startOfDay(plusDays(day, 1)));
    }
  });
});

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
