const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );
const DAY_MS = 86_400_000;

/**
 * The day that words of time name, where it is certain: "Tuesday at ten" is the next Tuesday after the call.
 * @param when in the words of the call
 * @param date the day of the call, such as 2026-11-20; null when it is not known
 * @returns such as 2026-11-24, or null
 */
export function dayOf(when: string, date: string | null): string | null {
  if (date === null) return null;
  const call = new Date(`${date}T00:00:00Z`);
  const after = (days: number) => new Date(call.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const text = when.toLowerCase();
  // A limit or one of several days is no certain day.
  if (/\b(or|every|between .* and .*day|week on|after next)\b/.test(text)) return null;
  if (/\bday after tomorrow\b/.test(text)) return after(2);
  if (/\btomorrow\b/.test(text)) return after(1);
  if (/\b(today|tonight|this (morning|afternoon|evening))\b/.test(text)) return after(0);
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}\\b`).test(text));
  const inMonth = dayInMonth(text);
  if (inMonth !== null && (month >= 0 || /\bthe \w+/.test(text)))
    return dateOf(call, inMonth, month < 0 ? null : month);
  const weekday = WEEKDAYS.findIndex((name) => new RegExp(`\\b${name}s?\\b`).test(text));
  if (weekday < 0) return null;
  const days = (weekday - call.getUTCDay() + 7) % 7 || 7;
  // "Next Friday" said on a Monday may mean this week's or the following one.
  const sameWeek = weekday > call.getUTCDay() && call.getUTCDay() > 0;
  return /\bnext\b/.test(text) && sameWeek ? null : after(days);
}

function dayInMonth(text: string): number | null {
  const digits = /\b(\d{1,2})(st|nd|rd|th)\b/.exec(text)?.[1];
  if (digits !== undefined) return Number(digits);
  const tens = /\b(twenty|thirty)[ -](\w+)\b/.exec(text);
  const unit = ORDINALS.indexOf(tens?.[2] ?? '');
  if (tens !== null && unit > 0 && unit < 10) return (tens[1] === 'twenty' ? 20 : 30) + unit;
  if (/\bthirtieth\b/.test(text)) return 30;
  const found = text
    .split(/\s+/)
    .map((word) => ORDINALS.indexOf(word))
    .find((number) => number > 0);
  return found ?? null;
}

/** The first such day on or after the call. */
function dateOf(call: Date, day: number, month: number | null): string | null {
  for (let ahead = 0; ahead < 13; ahead += 1) {
    const found = new Date(Date.UTC(call.getUTCFullYear(), call.getUTCMonth() + ahead, day));
    if (found.getUTCDate() === day && found >= call && (month === null || found.getUTCMonth() === month))
      return found.toISOString().slice(0, 10);
  }
  return null;
}
