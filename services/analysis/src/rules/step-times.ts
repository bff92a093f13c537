import type { NextStep } from '@call-analytics/calls';
import { hasClock, isLimit, type Time, timesIn } from './days.ts';
import { anyOf } from './proposals.ts';
import { type Divided, isOther, isSameWeekday } from './step-clauses.ts';

/** Pieces after a step in which its day may be said again, with an hour: "I've got you down Saturday nine thirty". */
export const REPEATED_WITHIN = 20;

/** @returns the words of a time without those of its day */
export function hourIn({ text, dayWords }: Time): string {
  return text.replace(dayWords, '').replace(/^[,\s]+|[,\s]+$/g, '');
}

/** "At ten" and "ten o'clock" are the same hour. */
const BESIDE_HOUR = /\b(?:at|about|around|say|o'?clock|in the \w+)\b/g;

/** Whether two words of time have hours that differ: "Tuesday at one", and "half one". */
export function isOtherHour(one: string | null, other: string | null, date: string | null): boolean {
  const hours = [one, other].map((when) => {
    const time = timesIn(when ?? '', date).find(hasClock);
    return time === undefined ? '' : hourIn(time).toLowerCase().replace(BESIDE_HOUR, '').trim();
  });
  return !hours.includes('') && hours[0] !== hours[1];
}

/** "Friday, first thing" has its hour already. */
function withHour(day: string, hour = ''): string {
  return day.toLowerCase().includes(hour.toLowerCase()) ? day : `${day}, ${hour}`;
}

/**
 * The first day and the first hour: of the words of the step, then of the words around it, then of a place where its
 * day is said again. Of several hours it is the one without "or"; what is sent, or due by a day, takes no hour of other
 * words.
 */
export function timeOf(
  acts: Divided,
  date: string | null,
  piece: number,
  { own, near, isSent }: { own: readonly Time[]; near: readonly Time[]; isSent: boolean },
): Pick<NextStep, 'when' | 'day'> {
  const dayIn = (times: readonly Time[]) => times.find(({ names }) => names);
  const day = dayIn(own) ?? dayIn(near);
  const moved = hourOfAnswer(acts, date, piece);
  if (moved !== undefined) return { when: [day?.dayWords ?? [], moved.text].flat().join(', '), day: day?.day ?? null };
  const isAlone = day !== undefined && own.includes(day) && (isSent || isLimit(day.text));
  if (day !== undefined && !isAlone && !hasClock(day)) {
    const isFuller = (time: Time) => time.names && hourIn(time) !== '' && !isOther(time, day);
    const repeated = [...Array(REPEATED_WITHIN).keys()].flatMap((step) => acts.times(piece + 1 + step));
    const fuller = [...own, ...near, ...repeated].find(isFuller);
    const isOnlyDay = day.text === day.dayWords && isBare(day.text);
    if (fuller !== undefined)
      // "A Sunday? - Sunday the 18th, at two" is on the 18th.
      return isOnlyDay
        ? { when: fuller.text, day: isBare(fuller.dayWords) ? day.day : fuller.day }
        : { when: withHour(day.text, hourIn(fuller)), day: day.day };
  }
  const clocks = (isAlone ? own : [...own, ...near]).filter(({ names }) => !names);
  const clock = clocks.find(({ text }) => !/ or /.test(text)) ?? clocks[0];
  const when = day === undefined || hasClock(day) ? (day ?? clock)?.text : withHour(day.text, clock?.text);
  // "I'll pick it up at half ten" is today.
  const isToday = day === undefined && clock !== undefined && own.includes(clock) && hasClock(clock);
  return { when: when ?? null, day: isToday ? date : (day?.day ?? null) };
}

/** "Thursday" repeats "next week Thursday" and is no other day. */
export const isBare = (time: string | null | undefined) => !/\b(?:the|week|fortnight)\b|\d/i.test(time ?? '');
/** Words after a day by which a customer takes it, and words that make another day a counter-proposal. */
const GOOD = '(?:perfect|better|best|good|great|fine|works?|suits?|easier|safer|(?:more )?realistic)';
const FITS = new RegExp(
  String.raw`^,?(?: (?:would|will|is|be|might|that|sounds|a lot|much|more))*(?:'s)? (?:${GOOD}|then)\b`,
  'i',
);
const COUNTERS = anyOf(
  "no|not|can't|cannot|couldn't|won't|instead|rather|sooner|earlier|later|tricky|away|full|how about",
  'what about|(?:can|could) (?:we|you)|make it',
);
const ASKS_WHEN = /\b(?:when|what day)\b.*\?/i;
/** Pieces in which a proposal is answered. */
const ANSWERED_WITHIN = 5;

/** A day with which the customer answers, and the index of the piece that names it. */
export interface AnsweredDay extends Time {
  at: number;
}

/**
 * The day with which the customer answers a proposal of another day: where they take it, or refuse the other and the
 * manager repeats it, it is the agreed one.
 */
export function dayOfAnswer(acts: Divided, date: string | null, piece: number): AnsweredDay[] {
  const { text: asked = '' } = acts.pieces[piece] ?? {};
  const after = acts.pieces
    .slice(piece + 1, piece + 1 + ANSWERED_WITHIN)
    .map((said, at) => ({ ...said, at: piece + 1 + at }));
  const roles = after.map(({ role }) => role);
  const from = roles.indexOf('customer');
  // "Wednesday or Friday?" is answered with one of the two.
  const choices = acts.times(piece).flatMap(({ text }) => (/ or /.test(text) ? daysOf(text.split(' or '), date) : []));
  const proposed = acts.times(piece).filter(({ day, text }) => day !== null || / or /.test(text));
  // "I'll send it tomorrow. And when is he home?" is answered with another day, and it comes tomorrow all the same.
  if (from < 0 || proposed.length === 0 || ASKS_WHEN.test(asked.slice(proposed.at(-1)?.end))) return [];
  // The customer answers the last day of a turn.
  if (after.slice(0, from).some(({ at }) => acts.times(at).some(({ names }) => names))) return [];
  const until = roles.indexOf('manager', from);
  const answers = after.slice(from, until < 0 ? roles.length : until);
  const times = answers.flatMap(({ at }) => acts.times(at).map((time) => ({ ...time, at })));
  const days = times.filter(({ day, text }) => day !== null && !isLimit(text));
  // "Make it the tenth, I've got an audit on the ninth": the day that was proposed may be said after the other one.
  const named = days.findLast(({ day }) => proposed.every((other) => other.day !== day)) ?? days.at(-1);
  const repeats = ({ day }: Time) => day === named?.day || (isBare(named?.text) && isSameWeekday(day, named?.day));
  if (named === undefined || acts.times(piece).some(repeats)) return [];
  const isOn = ({ day }: Time) => isSameWeekday(day, named.day);
  const repeated = until < 0 ? [] : acts.times(piece + 1 + until).filter(isOn);
  const isFuller = /week|fortnight/i.test(named.text) && acts.times(piece).some(isOn);
  // "Monday I'm at the bank. Tuesday." names the refused day as well; a limit is not refused.
  const isDue = isLimit(proposed.at(-1)?.text);
  const isRefused = answers.some(({ at }) => acts.refusedIn(at, at + 1).length > 0);
  const said = answers.map(({ text }) => text).join(' ');
  const counters = COUNTERS.test(said) || isRefused || (times.filter(({ names }) => names).length > 1 && !isDue);
  const fits = FITS.test(acts.pieces[named.at]?.text.slice(named.end) ?? '');
  const isTaken = choices.includes(named.day) || isFuller || fits || (repeated.length > 0 && counters);
  if (!isTaken) return [];
  // The words of the customer show it, and the longer words of the two are its time.
  return [named, ...repeated.map((time) => ({ ...time, at: named.at }))]
    .sort((a, b) => b.text.length - a.text.length)
    .slice(0, 1);
}

/**
 * The time of day with which the customer answers a proposal of another one on the same day, where they prefer it or
 * the manager repeats it: "Thursday at ten? - Ten thirty is better."
 */
function hourOfAnswer({ pieces }: Divided, date: string | null, piece: number): Time | undefined {
  const [said, ...after] = pieces.slice(piece, piece + 1 + ANSWERED_WITHIN);
  const from = after.findIndex(({ role }) => role === 'customer');
  if (said === undefined || from < 0 || !timesIn(said.text, date).some(hasClock)) return undefined;
  const until = after.findIndex(({ role }, at) => at > from && role === 'manager');
  const answer = after.slice(from, until < 0 ? after.length : until).map(({ text }) => text);
  const times = timesIn(answer.join(' '), date);
  const hour = times.findLast(({ names }) => !names);
  // "Call at eleven. - Eleven it is."
  const bare = hour?.text.toLowerCase().replace(/^(?:at|about|around|say|by|from) /, '') ?? '';
  const isSaid = (text = '') => text.toLowerCase().includes(bare);
  if (hour === undefined || times.some(({ names }) => names) || isSaid(said.text)) return undefined;
  return FITS.test(answer.join(' ').slice(hour.end)) || (until >= 0 && isSaid(after[until]?.text)) ? hour : undefined;
}

function daysOf(texts: readonly string[], date: string | null): (string | null)[] {
  return texts.flatMap((text) => timesIn(text, date).map(({ day }) => day));
}
