import type { Overview } from '@call-analytics/contracts';
import { startOfDay } from './days.ts';

type Day = Overview['days'][number];

/** Calls of a day, or of the days of a week, by what has become of them. */
export interface Bucket {
  /** Its first day. */
  from: string;
  completed: number;
  inWork: number;
  failed: number;
}

/** So many bars can still be told apart. */
const MOST_BARS = 62;

/** @returns the calls by day, or by week (from Monday) when there are more days than can be told apart */
export function buckets(days: readonly Day[]): { by: 'day' | 'week'; buckets: Bucket[] } {
  if (days.length <= MOST_BARS) return { by: 'day', buckets: days.map(bucketOf) };
  const weeks: Bucket[] = [];
  for (const day of days) {
    const last = weeks.at(-1);
    if (last === undefined || startOfDay(day.date).getDay() === 1) weeks.push(bucketOf(day));
    else {
      const { completed, inWork, failed } = bucketOf(day);
      weeks[weeks.length - 1] = {
        from: last.from,
        completed: last.completed + completed,
        inWork: last.inWork + inWork,
        failed: last.failed + failed,
      };
    }
  }
  return { by: 'week', buckets: weeks };
}

export function sum(days: readonly Day[], what: 'calls' | 'completed' | 'failed'): number {
  return days.reduce((total, day) => total + day[what], 0);
}

function bucketOf({ date, calls, completed, failed }: Day): Bucket {
  return { from: date, completed, failed, inWork: Math.max(0, calls - completed - failed) };
}
