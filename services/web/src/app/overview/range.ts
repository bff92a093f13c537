import type { Overview } from '@call-analytics/contracts';
import { ignoredParameter } from '../calls/address.ts';
import { dayOf, daysBetween, isDay, plusDays, startOfDay } from '../common/format.ts';

/** The limit of `GET /app/overview`. */
export const MAX_DAYS = 366;
export const PRESETS = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
export type Preset = keyof typeof PRESETS;
const FIRST: Preset = '30d';

/** The days of the overview. */
export interface Range {
  /** Null for a custom range. */
  preset: Preset | null;
  from: string;
  to: string;
}

type RangeAddress = { days?: Preset | undefined; from?: string | undefined; to?: string | undefined };

/** The range in the address: `days=7d`, or `from` and `to`. @returns also the ignored parameters, as `name=value` */
export function readRange(
  given: Readonly<Record<string, unknown>>,
  today = dayOf(new Date()),
): { range: Range; ignored: string[] } {
  const { days, from, to } = given;
  const unknown = Object.keys(given).filter((name) => !['days', 'from', 'to'].includes(name));
  const ignored = (names: string[]) =>
    names.filter((name) => given[name] !== undefined).map((name) => ignoredParameter(name, given[name]));
  if (
    typeof from === 'string' &&
    typeof to === 'string' &&
    isDay(from) &&
    isDay(to) &&
    from <= to &&
    daysBetween(from, to) <= MAX_DAYS
  )
    return { range: { preset: null, from, to }, ignored: ignored([...unknown, 'days']) };
  const preset = Object.keys(PRESETS).find((known): known is Preset => known === days);
  return {
    range: rangeOf(preset ?? FIRST, today),
    ignored: ignored([...unknown, ...(preset === undefined ? ['days'] : []), 'from', 'to']),
  };
}

/** A preset ends today. */
export function rangeOf(preset: Preset, today = dayOf(new Date())): Range {
  return { preset, from: plusDays(today, 1 - PRESETS[preset]), to: today };
}

export function rangeAddress({ preset, from, to }: Range): RangeAddress {
  if (preset === null) return { from, to };
  return preset === FIRST ? {} : { days: preset };
}

type Day = Overview['days'][number];

/** The calls of a day or week by state. */
export interface Bucket {
  /** The first day. */
  from: string;
  completed: number;
  inWork: number;
  failed: number;
}

/** More bars would be too narrow. */
const MAX_BARS = 62;

/** @returns the calls by day, or by week (from Monday) if there are more days than bars */
export function buckets(days: readonly Day[]): { by: 'day' | 'week'; buckets: Bucket[] } {
  if (days.length <= MAX_BARS) return { by: 'day', buckets: days.map(bucketOf) };
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
