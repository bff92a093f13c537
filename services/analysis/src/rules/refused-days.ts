import type { Acts } from './acts.ts';
import { daysIn, hasClock, type Time } from './days.ts';

/** The times that each piece of a call names, and the days that it refuses. */
export interface NamedTimes {
  times: readonly Time[];
  /** Such as 2026-11-24. */
  refused: readonly string[];
  /** Every day that is said, in limits and of the past too. */
  said: readonly string[];
}

/** Words that may stand before the day of which a speaker says something. */
const LEADS = /^\W*(?:(?:oh|well|um+|uh+|ah|no|nah|sorry|hmm|see|but|and|so|on)\b\W*)*$/i;
/** Something else is on that day: "Saturday the sixteenth there's a wedding on", "Monday's too short", "Tuesday, no" */
const HAPPENS = new RegExp(
  String.raw`^\??(?: (?:morning|afternoon|evening|night)s?)?\s*(?:(?:no|sorry|well|um|uh)\b[\s,]*)*` +
    String.raw`(?:(?:there|it|he|she|they)(?:['’](?:s|re|ve|ll|d)|\b (?:is|are|has|have|had|will))` +
    String.raw`|(?:i|we|you)(?:['’](?:m|re|ve)|\b (?:am|are|have|had|got))|(?:is|are|['’]s)\b(?! (?:that|it)))\b` +
    String.raw`|^[\s,]*no\b(?! (?:problem|worries|bother))`,
  'i',
);
/** "Tuesday is fine", "Friday I'm off", "Sunday I've got at two" */
const IS_FREE = new RegExp(
  String.raw`\b(?:fine|good|great|perfect|okay|ok|all ?right|free|works?|working for|suits?|better|best|easier` +
    '|available|open|could|can|slot|gap|space|room|nothing|opening|possible|off|easy|quiet|clear|come|coming|around' +
    "|done|lovely|grand|deal|yours|home|here|there(?!['’]s)|it is|the day|after|from|before" +
    String.raw`|at (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|\d+))\b`,
  'i',
);
/** "Fridays are never quiet" */
const DENIED = /\b(?:never|not|isn['’]t|aren['’]t|no) \w+/gi;
/** Words before another day that is proposed instead. */
const ASKS_FOR = /(?:\b(?:can|could|shall|how|what|about|do|make|it|we|i|you|is|on|so|then|maybe)\b[\s,]*)+$/i;
/** "Monday morning's always mad" says no hour. */
const PART_OF_DAY = / (?:morning|afternoon|evening)$/i;
/** Characters between two places of a day in one piece. */
const APART = 3;
/** Another day must be named within so many pieces. */
const INSTEAD_WITHIN = 6;

/**
 * Reads the times of all pieces. A day of which a speaker says what else is on ("Tuesday she's got orchestra") is
 * refused where another one is named soon and it is not said again.
 */
export function namedTimes(pieces: Acts['pieces'], date: string | null): NamedTimes[] {
  const read = pieces.map(({ text }) => daysIn(text, date));
  const isBusy = (at: number, time: Time) => {
    const { text = '' } = pieces[at] ?? {};
    const end = /['’]s$/.test(text.slice(0, time.end)) ? time.end - 2 : time.end;
    const next = read[at]?.times.find(({ names, start }) => names && start > time.end);
    // "Friday I have the auditors, can we do Monday"
    const [said = ''] = text.slice(end, next?.start).split(/[.!]/);
    const after = said.replace(ASKS_FOR, '');
    if (
      time.day === null ||
      hasClock({ ...time, text: time.text.replace(PART_OF_DAY, '') }) ||
      after.includes('?') ||
      !LEADS.test(text.slice(0, time.start)) ||
      !HAPPENS.test(after) ||
      IS_FREE.test(after.replace(DENIED, ''))
    )
      return false;
    const others = read
      .slice(at, at + 1 + INSTEAD_WITHIN)
      .flatMap(({ times }, step) => times.map((other) => ({ ...other, at: at + step })))
      .filter((other) => other.names && other.day !== null && (other.at > at || other.start > time.start));
    const instead = others.find(({ day }) => day !== time.day);
    // "Tomorrow's Saturday" says it once, and "Tuesdays I'm at the market" does not name it.
    const isSaidAgain = ({ text: words, day, start }: Time, after: number) =>
      day === time.day && !/days$/i.test(words) && (after > at || start > time.end + APART);
    return (
      instead !== undefined &&
      !read.slice(at).some(({ times }, step) => times.some((each) => isSaidAgain(each, at + step)))
    );
  };
  return read.map(({ times, refused, said }, at) => {
    const busy = times.filter((time) => time.names && isBusy(at, time)).map(({ day }) => day);
    return {
      times: times.filter(({ day }) => day === null || !busy.includes(day)),
      refused: [...refused, ...busy.flatMap((day) => day ?? [])],
      said,
    };
  });
}
