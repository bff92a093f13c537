const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Further from UTC than any place is, at any time. */
const FURTHEST_MS = 27 * HOUR_MS;

export interface Day {
  /** `YYYY-MM-DD`, as the calendar on the wall says. */
  date: string;
  start: Date;
  /** The beginning of the next one. */
  end: Date;
}

/**
 * The days from `from` to `to`, both included, as a place has them: where clocks change, a day has 23 or 25 hours, or begins at one o'clock; one that was left out of a
 * calendar has none.
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
    // Latin digits and our calendar, whatever the machine's language is.
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
    // What the clock is ahead of UTC well before and well after that midnight; mostly the same.
    const candidates = [midnight - DAY_MS, midnight + DAY_MS].map((at) => midnight - (this.#shownAt(at) - at));
    const [first = 0, second = 0] = candidates.sort((a, b) => a - b);
    for (const start of [first, second])
      if (this.#shownAt(start) >= midnight && this.#shownAt(start - 1_000) < midnight) return start;
    return this.#firstAtOrAfter(midnight);
  }

  /** Where midnight itself is left out: the first second of what comes then. */
  #firstAtOrAfter(midnight: number): number {
    let before = midnight - FURTHEST_MS;
    let after = midnight + FURTHEST_MS;
    while (after - before > 1_000) {
      const middle = Math.floor((before + after) / 2_000) * 1_000;
      if (this.#shownAt(middle) >= midnight) after = middle;
      else before = middle;
    }
    return after;
  }

  /** What the clock on the wall shows, as if it were UTC, in ms since 1970 and without the parts of a second. */
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
