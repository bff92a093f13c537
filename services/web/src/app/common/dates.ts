import { LOCALE } from '../texts/locale.ts';

const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });

/** As `Nov 21, 2026`, in the reader's time zone. */
export function shownDay(at: string | Date): string {
  return day.format(new Date(at));
}

/** As `Nov 21, 2026, 9:41 AM`, in the reader's time zone. */
export function shownMoment(at: string | Date): string {
  return moment.format(new Date(at));
}
