import { LOCALE } from '../texts/en/common.ts';

const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });

/** Such as `Nov 21, 2026`, in the reader's time zone. */
export function shownDay(at: string | Date): string {
  return day.format(new Date(at));
}

/** Such as `Nov 21, 2026, 9:41 AM`, in the reader's time zone. */
export function shownMoment(at: string | Date): string {
  return moment.format(new Date(at));
}

/** A span of time without pretended precision: `1 minute`, `4 minutes`, `25 minutes`, `2 hours`, `3 days`. */
export function shownEstimate(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes <= 10) return span(minutes, 'minute');
  if (minutes <= 57) return span(Math.round(minutes / 5) * 5, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? span(hours, 'hour') : span(Math.round(hours / 24), 'day');
}

function span(value: number, unit: 'minute' | 'hour' | 'day'): string {
  return new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** A length of a recording, such as `4:05` or `1:04:05`. */
export function shownLength(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = two(whole % 60);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${two(minutes)}:${rest}`;
}

// Days as `YYYY-MM-DD`, as in addresses and in the API, and their limits in the reader's time zone.

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The day that a moment belongs to, in the reader's time zone. */
export function dayOf(at: Date): string {
  return [at.getFullYear().toString().padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-');
}

/** The first moment of a day. */
export function startOfDay(day: string): Date {
  return local(day, 0);
}

/** The first moment after a day. Twice a year a day has 23 or 25 hours. */
export function endOfDay(day: string): Date {
  return local(day, 1);
}

/** The day a number of days later, or earlier if it is negative. */
export function plusDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The number of days of a range, including its first and last. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1;
}

function local(day: string, plus: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const at = new Date(2000, month - 1, date + plus);
  // Set separately, because the constructor maps years below 100 to the last century.
  at.setFullYear(year, month - 1, date + plus);
  return at;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** A word for a score, so that color is not needed. */
type Band = 'strong' | 'fair' | 'weak';

/** @param score 0 to 100 */
export function bandOf(score: number): Band {
  if (score >= 75) return 'strong';
  return score >= 50 ? 'fair' : 'weak';
}
