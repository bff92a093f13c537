import { describe, expect, it } from '@jest/globals';
import { daysOf, mostFrequent } from './overview.ts';

const HOUR_MS = 3_600_000;
const hours = (from: string, to: string, timeZone: string) =>
  daysOf(from, to, timeZone).map(({ start, end }) => (end.getTime() - start.getTime()) / HOUR_MS);
const start = (date: string, timeZone: string) => daysOf(date, date, timeZone)[0]?.start.toISOString();

describe('the days of a place', () => {
  it('begin at its midnight, and each where the one before ends', () => {
    const days = daysOf('2026-02-27', '2026-03-02', 'Asia/Kathmandu');
    expect(days.map(({ date }) => date)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    expect(days[0]?.start.toISOString()).toBe('2026-02-26T18:15:00.000Z');
    for (const [i, day] of days.slice(1).entries()) expect(day.start).toEqual(days[i]?.end);
  });

  it.each([
    ['lose an hour in the night', '2026-03-28', 'Europe/Berlin', [24, 23, 24]],
    ['gain an hour in the night', '2026-10-24', 'Europe/Berlin', [24, 25, 24]],
    ['lose the hour after midnight', '2018-11-03', 'America/Sao_Paulo', [24, 23, 24]],
    ['gain the hour before midnight', '2018-02-16', 'America/Sao_Paulo', [24, 25, 24]],
    ['gain half an hour', '2026-04-04', 'Australia/Lord_Howe', [24, 24.5, 24]],
    ['are left out where the date line was moved', '2011-12-29', 'Pacific/Apia', [24, 0, 24]],
  ])('%s', (_, from, timeZone, expected) => {
    const to = new Date(Date.parse(from) + 2 * 24 * HOUR_MS).toISOString().slice(0, 10);
    expect(hours(from, to, timeZone)).toEqual(expected);
  });

  it('begin at one where midnight is left out', () => {
    expect(start('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
  });

  it('are as many as the calendar has, wherever', () => {
    for (const timeZone of [
      'UTC',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      'America/St_Johns',
      'Africa/Casablanca',
      'Antarctica/Troll',
    ]) {
      const year = daysOf('2024-01-01', '2024-12-31', timeZone);
      expect(year).toHaveLength(366);
      expect((year.at(-1)?.end.getTime() ?? 0) - (year[0]?.start.getTime() ?? 0)).toBe(366 * 24 * HOUR_MS);
    }
  });

  it('are of no place that is none', () => {
    expect(() => daysOf('2026-01-01', '2026-01-01', 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('what is found most often', () => {
  it('is counted by its kind, whatever was said, once a call', () => {
    const ofCalls = [
      ['Price: “Too much.”', 'Price: “Far too much.”', 'Time: “Not now.”'],
      ['price: “We cannot pay that: no.”'],
      ['Was rude'],
    ];
    expect(mostFrequent(ofCalls)).toEqual([
      { text: 'Price', calls: 2 },
      { text: 'Time', calls: 1 },
      { text: 'Was rude', calls: 1 },
    ]);
  });

  it('is ten kinds at most, the most frequent first and the latest of equals', () => {
    const ofCalls = Array.from({ length: 12 }, (_, n) => [`kind ${n}`]);
    expect(mostFrequent([...ofCalls, ['kind 11']]).map(({ text }) => text)).toEqual([
      'kind 11',
      ...Array.from({ length: 9 }, (_, n) => `kind ${n}`),
    ]);
  });
});
