import { type CallTotals, SALE_STATUSES, type SaleStatus } from '@call-analytics/contracts';
import type { Analysis } from './analysis.ts';
import { type Correction, isConfirmed } from './analysis.ts';

// The overview of an account, the same for both adapters: the days of a time zone, the sums, the most frequent remarks.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More than the offset of any time zone from UTC. */
const MAX_OFFSET_MS = 27 * HOUR_MS;

export interface Day {
  /** `YYYY-MM-DD` in the time zone. */
  date: string;
  start: Date;
  /** The start of the next day. */
  end: Date;
}

/**
 * The days from `from` to `to`, both included, in a time zone. Where clocks change, a day has 23 or 25 hours or begins
 * at one o'clock; a day that the calendar skipped has none.
 * @param from and @param to `YYYY-MM-DD`
 * @param timeZone IANA name
 * @throws RangeError when there is no such time zone
 */
export function daysOf(from: string, to: string, timeZone: string): Day[] {
  const clock = new WallClock(timeZone);
  const days: Day[] = [];
  let start = clock.startOf(from);
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const end = clock.startOf(dateOf(at + DAY_MS));
    days.push({ date: dateOf(at), start: new Date(start), end: new Date(end) });
    start = end;
  }
  return days;
}

class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    // Latin digits and the Gregorian calendar, whatever the language of the machine is.
    const fields = {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    } as const;
    this.#format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone, hourCycle: 'h23', ...fields });
  }

  /** When a day begins, in ms since 1970. */
  startOf(date: string): number {
    const midnight = Date.parse(date);
    // The offset from UTC well before and well after that midnight; mostly the same.
    const candidates = [midnight - DAY_MS, midnight + DAY_MS].map((at) => midnight - (this.#shownAt(at) - at));
    const [first = 0, second = 0] = candidates.sort((a, b) => a - b);
    for (const start of [first, second])
      if (this.#shownAt(start) >= midnight && this.#shownAt(start - 1_000) < midnight) return start;
    return this.#firstAtOrAfter(midnight);
  }

  /** If midnight itself is skipped: the first second after the gap. */
  #firstAtOrAfter(midnight: number): number {
    let before = midnight - MAX_OFFSET_MS;
    let after = midnight + MAX_OFFSET_MS;
    while (after - before > 1_000) {
      const middle = Math.floor((before + after) / 2_000) * 1_000;
      if (this.#shownAt(middle) >= midnight) after = middle;
      else before = middle;
    }
    return after;
  }

  /** The local time as if it were UTC, in ms since 1970, rounded down to seconds. */
  #shownAt(at: number): number {
    const parts = Object.fromEntries(this.#format.formatToParts(at).map(({ type, value }) => [type, value]));
    const [year, month, day, hour, minute, second] = [
      parts.year,
      parts.month,
      parts.day,
      parts.hour,
      parts.minute,
      parts.second,
    ].map(Number);
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  }
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Objections and mistakes are counted in at most this many calls, the latest of the range. */
export const MAX_EXAMINED_CALLS = 1_000;
/** How many products are shown. */
export const MAX_PRODUCTS = 10;

/** What a store counts for some calls. */
export interface Sums {
  calls: number;
  completed: number;
  failed: number;
  scored: number;
  /** The sum of the scores. */
  score: number;
}

export const NO_CALLS: Sums = { calls: 0, completed: 0, failed: 0, scored: 0, score: 0 };

/**
 * The overview from what a store has counted.
 * @param days each with its sums
 * @param products most frequent first, by name where they are as frequent
 * @param saleStatuses of the scored calls
 * @param remarks of the latest scored calls, latest first
 */
export function overviewOf({
  days,
  saleStatuses,
  products,
  remarks,
}: {
  days: (Day & Sums)[];
  saleStatuses: Partial<Record<SaleStatus, number>>;
  products: CallTotals['products'];
  remarks: (Remarks & { corrections: readonly Correction[] })[];
}): CallTotals {
  const reviewed = remarks.flatMap(({ corrections }) => corrections);
  const sum = (of: 'completed' | 'scored' | 'score') => days.reduce((total, day) => total + day[of], 0);
  return {
    days: days.map(({ date, calls, completed, failed, scored, score }) => ({
      date,
      calls,
      completed,
      failed,
      averageScore: average(score, scored),
    })),
    saleStatuses: Object.fromEntries(SALE_STATUSES.map((status) => [status, saleStatuses[status] ?? 0])) as Record<
      SaleStatus,
      number
    >,
    notScored: sum('completed') - sum('scored'),
    averageScore: average(sum('score'), sum('scored')),
    products,
    objections: mostFrequent(remarks.map((of) => rightIn(of, 'objections'))),
    mistakes: mostFrequent(remarks.map((of) => rightIn(of, 'mistakes'))),
    examined: remarks.length,
    reviewed: { answers: reviewed.length, stood: reviewed.filter(isConfirmed).length },
  };
}

/** Rounded to one decimal. */
function average(sum: number, of: number): number | null {
  return of === 0 ? null : Math.round((sum / of) * 10) / 10;
}

/** The findings of one call, as texts. */
export interface Remarks {
  objections: readonly string[];
  mistakes: readonly string[];
}

/** The findings of a call without those that a person calls none. */
function rightIn(
  { corrections, ...remarks }: Remarks & { corrections: readonly Correction[] },
  list: keyof Remarks,
): readonly string[] {
  const field = list === 'objections' ? 'objections' : 'managerMistakes';
  const right = corrections.find((correction) => correction.field === field)?.value;
  return Array.isArray(right) ? right : remarks[list];
}

interface CountedRemark {
  text: string;
  /** In how many calls. */
  calls: number;
}

const MAX_REMARKS = 10;

export function remarksOf({ objections, managerMistakes }: Pick<Analysis, 'objections' | 'managerMistakes'>): Remarks {
  return { objections: objections.map(({ text }) => text), mistakes: managerMistakes.map(({ text }) => text) };
}

/**
 * The ten most frequent kinds, each counted once per call: the text before the colon ("Price: “too much for us”").
 * Kinds that differ only in case, white space or punctuation count as one, shown as in the latest call.
 * @param ofCalls the texts of each call, latest first
 */
export function mostFrequent(ofCalls: Iterable<readonly string[]>): CountedRemark[] {
  const counted = new Map<string, CountedRemark>();
  for (const texts of ofCalls) {
    for (const [key, text] of new Map(texts.map(kindOf).map((kind) => [keyOf(kind), kind]))) {
      if (key === '') continue;
      const known = counted.get(key);
      if (known === undefined) counted.set(key, { text, calls: 1 });
      else known.calls += 1;
    }
  }
  // The sort is stable: among equals the latest comes first.
  return [...counted.values()].sort((a, b) => b.calls - a.calls).slice(0, MAX_REMARKS);
}

function kindOf(text: string): string {
  const [kind = text] = text.split(': ', 1);
  return kind;
}

function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\s]+/gu, ' ')
    .trim();
}
