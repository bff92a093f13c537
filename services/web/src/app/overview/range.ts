import { ignoredParameter } from '../calls/ignored.ts';
import { dayOf, daysBetween, isDay, plusDays } from './days.ts';

/** `GET /app/overview` answers for so many days at most. */
export const MAX_DAYS = 366;
export const PRESETS = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
export type Preset = keyof typeof PRESETS;
const FIRST: Preset = '30d';

/** The days that the overview is about. */
export interface Range {
  /** Null for days that somebody chose. */
  preset: Preset | null;
  from: string;
  to: string;
}

export type RangeAddress = { days?: Preset | undefined; from?: string | undefined; to?: string | undefined };

/**
 * The range that the address asks for: `days=7d`, or `from` and `to`.
 * @returns also the parameters that mean nothing here, as `name=value`
 */
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
