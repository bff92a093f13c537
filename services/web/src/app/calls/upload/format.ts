import { LOCALE } from '../../texts/texts.ts';

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** As `12.4 MiB`: powers of 1024, the units of the settings and of the API. */
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

/** As `4 sec` or `2 min`. */
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
