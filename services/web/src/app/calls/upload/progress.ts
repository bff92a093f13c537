import { LOCALE } from '../../texts/index.ts';

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** Such as `12.4 MiB`: powers of 1024, the units of the settings and of the API. */
export function shownBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What rounds to 1,024 of a unit is 1 of the next.
  while (Math.round(value) >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  const maximumFractionDigits = unit > 0 && value < 100 ? 1 : 0;
  const number = new Intl.NumberFormat(LOCALE, { maximumFractionDigits }).format(value);
  return `${number} ${unit === 0 && Math.round(bytes) === 1 ? 'byte' : UNITS[unit]}`;
}

/** Such as `4 sec` or `2 min`. */
export function shownSeconds(seconds: number): string {
  const [value, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3_600 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour'];
  return new Intl.NumberFormat(LOCALE, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'hour' ? 1 : 0,
  }).format(Math.max(1, value));
}

/** The window of the average speed: long enough to be steady, short enough to follow changes. */
const WINDOW_MS = 5_000;
/** No speed is known before this: the first bytes only fill the buffers of the system. */
const SETTLED_MS = 1_000;

/** The speed of an upload in its latest seconds. */
export class Speed {
  #samples: { at: number; sent: number }[] = [];

  /** @param at in ms @param sent all bytes sent so far */
  add(at: number, sent: number): void {
    this.#samples.push({ at, sent });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= WINDOW_MS) this.#samples.shift();
  }

  /** @returns null until the speed is known */
  bytesPerSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < SETTLED_MS) return null;
    return ((last.sent - first.sent) * 1_000) / (last.at - first.at);
  }

  /** @returns null if it is unknown or nothing is being sent */
  secondsLeft(total: number): number | null {
    const speed = this.bytesPerSecond();
    const sent = this.#samples.at(-1)?.sent ?? 0;
    return speed === null || speed <= 0 ? null : Math.ceil((total - sent) / speed);
  }
}
