import { BARE_HOUR, CLOCK, DAY_MS, DAYS } from './day-words.ts';

/** Words of time in a text, and the day that they fix. */
export interface Time {
  /** As written in the text. */
  text: string;
  /** Offsets into the text. */
  start: number;
  end: number;
  /** Such as 2026-11-24; null where the words do not fix a day, or the day of the call is not known. */
  day: string | null;
  /** Whether it names a day or a period of days, not only a time of day. */
  names: boolean;
  /** Its words for the day, without a time of day: "Thursday the third" of "Thursday the third, say at ten". */
  dayWords: string;
}

const GAP = new RegExp(
  String.raw`^(?:[\s,]|\b(?:at|on|about|around|say|by|from|for|in|the|maybe|then|any ?time|sometime|between|after` +
    String.raw`|before|is|yeah|so|of)\b)*$`,
);
/** An hour belongs to a day that ends at most this many characters before it. */
const NEAR = 9;
/** "One fifty on Friday" is a price, and "is there one this Friday" no hour. */
const NO_HOUR = / (?:ten|twenty|forty|fifty)$|^one$/;
/** After these words a day is in the past, a habit, a limit, or the day of the call: "what can I do for you today". */
const NOT_AHEAD = new RegExp(
  String.raw`\b(?:(?:help you(?: with)?|do for you|how are you(?: doing)?)|last|every|each|since|previous` +
    String.raw`|\w+(?:st|nd|rd|th) is an?|that'?s an?|on (?:a|your)|most|it'?s|was|were|until|till|(?<!why )not) $`,
);
/** "You rang on Tuesday" tells of a day that has been; "if you came on Tuesday" does not. */
const PAST = new RegExp(
  String.raw`(?<!\b(?:if|rather) )\b(?:(?:i|we|you|he|she|they) ` +
    '(?:rang|called|emailed|phoned|texted|sent|spoke|saw|did|met' +
    String.raw`|came|went|visited|ordered|bought)|it (?:came|went))(?: (?!(?:and|but|so|to|if|for|on|by)\b)\w+){0,3} $`,
);
/** "I can't do Tuesday", "scratch Tuesday", "Tuesday's no good", and "Monday it rains, so I can't. Wednesday?" */
const REFUSED = {
  before: new RegExp(
    String.raw`\b(?:(?:can't|cannot|couldn't|won't) (?:do|make|manage) (?:it )?|(?:(?<!in )full|booked (?:up|out)` +
      "|(?:'m|'re|'s|am|are|is|be) (?:away|off|closed))(?: on)? " +
      '|(?:scratch|forget|cancel|instead of|rather than)(?: about)?(?: the| that)? )$',
  ),
  after:
    /^(?:(?:'?s| is)? (?:no good|not good|no use|(?:doesn't|won't) (?:work|suit))|(?:'?s| is) (?:full|gone|taken))\b/,
  instead: /^(?! before| until| till).{0,60}\b(?:can't|cannot|couldn't|won't|not free|busy|away)\b/,
};
/** "The Friday prices" */
const KIND_OF = /^ (?:prices?|rates?|pricing|deals?|menus?|specials?|market|rush|papers?|crowd)\b/;
/** "It's Thursday" may be today, "it's Thursday fortnight" is not. */
const AHEAD = /(?:day (?:week|fortnight)|\btomorrow)$/;

/** Words by which a speaker takes the day before them back. */
const CORRECTS = /^,? (?:no,? )?(?:sorry|i mean|or rather|no,? wait),?(?: no,?)? $/;

/** What is done at once is done in the call: "I'll take a card in a second. You come on the seventh." */
const AT_ONCE = new RegExp(
  String.raw`^(?:in a (?:sec|second|minute|moment|bit)|(?:in|within) (?:about )?[\w -]+ minutes|right (?:away|now)` +
    '|straight ?away|this (?:very )?minute)$',
);

/** It belongs to the time after it: "from the first of December". */
const FROM = 'from ';

const compiled = (patterns: readonly string[]) =>
  patterns.map((pattern) => new RegExp(`(?<![\\p{L}\\p{N}£$€.:'-])(?:${pattern})(?![\\p{L}\\p{N}])`, 'gu'));
const DAY_PATTERNS = compiled(DAYS.map(([pattern]) => pattern));
const CLOCK_PATTERNS = compiled(CLOCK);
const [BARE] = compiled([BARE_HOUR]) as [RegExp];

interface Span {
  start: number;
  end: number;
  /** Days after the call; undefined for a time of day. */
  ahead?: number | null;
}

/**
 * Finds the words of time in a text that lies ahead, in their order: "Thursday at half two", "next week". Parts that
 * stand beside each other are one time.
 * @param date the day of the call, such as 2026-11-20; null when it is not known
 */
export function timesIn(text: string, date: string | null): Time[] {
  return daysIn(text, date).times;
}

/**
 * @returns besides the times the days that a text refuses, such as 2026-11-24 ("oh no, they're full on Tuesday"), and
 *   every day that it says, in limits and of the past too
 */
export function daysIn(text: string, date: string | null): { times: Time[]; refused: string[]; said: string[] } {
  const lower = text.toLowerCase().replaceAll('’', "'");
  // A letter whose lower case is longer would shift the offsets.
  if (lower.length !== text.length) return { times: [], refused: [], said: [] };
  const epoch = date === null ? 0 : Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  const call = { day: epoch, weekday: new Date(epoch * DAY_MS).getUTCDay() };
  const found: Span[] = [];
  const refused: Span[] = [];
  const said: Span[] = [];
  DAY_PATTERNS.forEach((pattern, index) => {
    for (const match of lower.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      const before = lower.slice(Math.max(0, start - 60), start);
      const day = { start, end, ahead: DAYS[index]?.[1](match.groups ?? {}, call) ?? null };
      said.push(day);
      const isNoTime =
        ([NOT_AHEAD, PAST].some((each) => each.test(before)) && !AHEAD.test(match[0])) ||
        KIND_OF.test(lower.slice(end, end + 12));
      if (isNoTime) continue;
      // "Tuesday's" is read whole.
      const after = lower.slice(match[0].endsWith("'s") ? end - 2 : end, end + 20);
      const isNoGood = REFUSED.before.test(before) || REFUSED.after.test(after);
      (isNoGood ? refused : found).push(day);
    }
  });
  for (const pattern of CLOCK_PATTERNS)
    for (const match of lower.matchAll(pattern))
      if (lower.slice(Math.max(0, match.index - 4), match.index) !== 'not ')
        found.push({ start: match.index, end: match.index + match[0].length });
  const starts = new Set(found.filter(({ ahead }) => ahead !== undefined).map(({ start }) => start));
  const ends = new Set(found.filter(({ ahead }) => ahead !== undefined).map(({ end }) => end));
  for (const match of lower.matchAll(BARE)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const before = [...Array(NEAR).keys()].some(
      (gap) => ends.has(start - gap) && GAP.test(lower.slice(start - gap, start)),
    );
    const ahead = [1, 2, 4].some(
      (gap) => starts.has(end + gap) && /^[\s,]+(?:on )?$/.test(lower.slice(end, end + gap)),
    );
    if (before || (ahead && !NO_HOUR.test(match[0]))) found.push({ start, end });
  }
  const times = joined(longest(found), lower);
  const isCorrected = ({ end, ahead }: Span, at: number) =>
    ahead !== undefined &&
    times.slice(at + 1).some((next) => next.ahead !== undefined && CORRECTS.test(lower.slice(end, next.start)));
  const isLater = ({ start, end, ahead }: Span) => ahead !== undefined && !AT_ONCE.test(lower.slice(start, end));
  const isReplaced = ({ end, ahead }: Span, at: number) => {
    const next = times.slice(at + 1).find((each) => each.ahead !== undefined);
    return ahead !== undefined && next !== undefined && REFUSED.instead.test(lower.slice(end, next.start));
  };
  const dayOf = ({ ahead = null }: Span) =>
    date === null || ahead === null || ahead < 0 ? null : dateAt(epoch + ahead);
  return {
    refused: [...refused, ...times.filter(isReplaced)].flatMap((span) => dayOf(span) ?? []),
    said: longest(said).flatMap((span) => dayOf(span) ?? []),
    times: times
      .filter(
        (time, at) =>
          !isCorrected(time, at) &&
          !isReplaced(time, at) &&
          (time.ahead === undefined || isLater(time) || !times.some(isLater)),
      )
      .map((time) => ({
        text: withoutVerb(
          text.slice(
            lower.startsWith(FROM, time.start - FROM.length) ? time.start - FROM.length : time.start,
            time.end,
          ),
        ),
        dayWords: withoutVerb(text.slice(...time.days)),
        start: time.start,
        end: time.end,
        day: time.or ? null : dayOf(time),
        names: time.ahead !== undefined,
      })),
  };
}

/** "Tuesday's fine" */
const withoutVerb = (time: string) => time.replace(/['’]s$/, '');

/** Of spans that overlap the one that begins first, then the longest. */
function longest(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
  }
  return kept;
}

/** Beside another day it is a time of that day: "the day after tomorrow, end of the day". */
const CLOSES = /\bend of (?:the |this )?(?:working )?day$/;

interface Joined extends Span {
  /** One of several days, or two that contradict each other. */
  or: boolean;
  /** From the first of its days to the last. */
  days: readonly [start: number, end: number];
}

/** Joins times that stand beside each other. */
function joined(spans: readonly Span[], text: string): Joined[] {
  const times: Joined[] = [];
  for (const span of spans) {
    const last = times.at(-1);
    const between = last === undefined ? '' : text.slice(last.end, span.start);
    const bothDays = last?.ahead !== undefined && span.ahead !== undefined;
    if (last !== undefined && between.length <= 16 && GAP.test(between)) {
      last.end = span.end;
      if (last.ahead !== undefined && CLOSES.test(text.slice(span.start, span.end))) continue;
      if (span.ahead !== undefined) last.days = [last.ahead === undefined ? span.start : last.days[0], span.end];
      const [one, two] = [last.ahead ?? null, span.ahead ?? null];
      // An hour beside "next week" leaves it a period of days.
      if (one === null || two === null) last.ahead ??= span.ahead === undefined ? last.ahead : span.ahead;
      // "Thursday, the ninth": the later is the same weekday, said more exactly.
      else if ((two - one) % 7 === 0) last.ahead = Math.max(one, two);
      else last.or = true;
    } else if (last !== undefined && bothDays && /^ ?(?:or|to|and|through)(?: maybe| the| on)? ?$/.test(between)) {
      last.end = span.end;
      last.days = [last.days[0], span.end];
      last.or = true;
    } else if (
      last !== undefined &&
      span.ahead === undefined &&
      last.ahead === undefined &&
      /^ (?:or|and|to) $/.test(between)
    ) {
      last.end = span.end;
    } else times.push({ ...span, or: false, days: [span.start, span.ahead === undefined ? span.start : span.end] });
  }
  return times;
}

function dateAt(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Whether words of time name a day by which something is due: "by Friday". */
export function isLimit(words: string | null | undefined): boolean {
  return /^(?:by|before)\b/i.test(words ?? '');
}

/** The time of day in words of time: "at", "half past", "in the morning", a number that counts no days. */
const HOURS = new RegExp(
  String.raw`\b(?:at|half|quarter|o'?clock|am|pm|noon|midday|morning|afternoon|evening|one|two|three|four|five|six` +
    String.raw`|seven|eight|nine|ten|eleven|twelve|\d+)\b`,
);
const COUNTED_DAYS = /\b\S+ (?:working |business )?(?:days?|weeks?|months?)\b/g;

/** Whether words of time have a time of day. */
export function hasClock({ text }: Time): boolean {
  return HOURS.test(text.toLowerCase().replace(COUNTED_DAYS, ''));
}
