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
}

const UNITS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );
const DAY_MS = 86_400_000;
/** A day that is farther ahead, in days, is more likely one that has just been. */
const FARTHEST = 300;
/** A day of the month with its weekday fixes a month that is at most this far ahead, in days. */
const FARTHEST_WEEKDAY = 100;

const HOUR = `(?:${UNITS.join('|')}|1[0-9]|2[0-3]|[1-9])(?!\\d)`;
const COUNT = `(?:an?|a couple of|${UNITS.slice(0, 10).join('|')}|\\d{1,2})`;
const MINUTES =
  '(?:(?:oh |0)?five|ten|quarter|fifteen|twenty(?:[ -]five)?|thirty|forty(?:[ -]five)?|fifty(?:[ -]five)?|\\d\\d)';
const WEEKDAY = '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tues|weds|thurs)';
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|aug|sept|oct|nov|dec)';
const ORDINAL = `(?:\\d{1,2}(?:st|nd|rd|th)|(?:twenty|thirty)[ -](?:${ORDINALS.slice(0, 9).join('|')})|thirtieth|${ORDINALS.join('|')})`;
const WEEK =
  '(?:next week|the week after next|the following week|the week after|this week|in a week|in (?:two|2) weeks|in a fortnight)';
const PART = '(?:morning|afternoon|evening|night|lunch ?time|tea ?time)';
/** What can follow a bare number that is an hour: "at two on Friday", not "at two sites". */
const AFTER_HOUR =
  '(?=\\s*(?:$|[.,!?;:…]|(?:on|today|tomorrow|this|next|then|if|or|and|is|it|that|to|till|until|works?|okay|ok|would|will|please|sharp|with|so|but|for|i|we|you|in|when|latest|at|suits?|any|good|alright|all|next|the|pm|am|yeah|yes|no|lovely|great|perfect|because|cause|your|my|our|teams|and|mon|tues|wednes|thurs|fri|satur|sun)\\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day))(?!\\s+(?:and a half|in (?:ten|five|three|four)|or (?:two|three|four|five)\\b|to (?:one|our)\\b|for (?:one|the price)))';

interface Call {
  /** Days since the epoch. */
  day: number;
  /** 0 is Sunday. */
  weekday: number;
}
/** Days after the call, null where the words do not fix one. */
type Reading = (match: Readonly<Record<string, string | undefined>>, call: Call) => number | null;

const unfixed: Reading = () => null;
const after =
  (days: number): Reading =>
  () =>
    days;

/** Times that name a day or a period; of two that begin together the longer counts. */
const DAYS: readonly (readonly [pattern: string, reading: Reading])[] = [
  ['(?:the )?day after tomorrow', after(2)],
  ['(?:a week tomorrow|tomorrow week)', after(8)],
  [`(?:first thing |early |late |later |this time |same time )?tomorrow(?: ${PART})?(?: first thing)?`, after(1)],
  [
    `(?:(?:later |early |late |by the end of )?today|tonight|this (?:very )?(?:morning|afternoon|evening|lunch ?time)|(?:by |at |before )?(?:the )?end of (?:the|this|play) ?(?:working )?day|by (?:close of (?:play|business)|end of day)|right away|straight ?away|right now|in (?:a (?:sec|second|minute|moment|bit|few minutes)|the next (?:hour|half hour|few minutes)|${COUNT} (?:minutes?|hours?)|half an hour|twenty minutes)|within the (?:next )?hour)`,
    after(0),
  ],
  ['(?:a week today|today week|(?:(?:at )?(?:the )?same|this) (?:time|day) next week)', after(7)],
  ['(?:a fortnight|two weeks) (?:today|from today)', after(14)],
  ['(?<count>three|four|six) weeks today', ({ count }) => 7 * count_(count)],
  [`in (?<count>${COUNT}) days?(?:'?s? time)?`, ({ count }) => (count === 'a couple of' ? null : count_(count))],
  [
    `(?:early |late |later |(?:(?:at|by) )?(?:the )?(?:end|middle|start|beginning) of )?(?:in )?(?<week>${WEEK})(?:,? (?:on|sometime|say|maybe)(?: the)?)?,? (?:(?:early|late) )?(?<weekday>${WEEKDAY})(?: ${PART})?`,
    weekdayOfWeek,
  ],
  [`(?:early |late )?(?<weekday>${WEEKDAY})(?: ${PART})?(?: of)? (?<week>${WEEK})`, weekdayOfWeek],
  [
    `(?:on |by )?(?:(?:a )?week (?:on|from|this) (?<weekday>${WEEKDAY})(?: ${PART})?|(?<weekday2>${WEEKDAY}) week)`,
    (match, call) => nextWeekday(match, call) + 7,
  ],
  [`(?:on |by )?(?<weekday>${WEEKDAY}) fortnight`, (match, call) => nextWeekday(match, call) + 14],
  [
    `(?:on |by )?(?:the )?(?!(?:first|second|third) ${WEEKDAY})(?<day>${ORDINAL}),? (?:that's |a |on (?:a|the) )?(?<weekday>${WEEKDAY})`,
    dated,
  ],
  [`the ${WEEKDAY} after(?: next| that)?|${WEEKDAY} after (?:next|that)`, unfixed],
  [`(?:early |late )?(?:next|the following) (?<weekday>${WEEKDAY})(?: ${PART})?`, nextNamed],
  [
    `(?:first thing |early |late |(?:this|this coming|coming|by) )?(?:on )?(?<weekday>${WEEKDAY})(?: coming)?(?:'s)?(?: ${PART})?(?: first thing)?`,
    nextWeekday,
  ],
  [
    `(?:on |by )?(?:(?<weekday>${WEEKDAY}),? )?(?:the )?(?<day>${ORDINAL}|\\d{1,2}) (?:of )?(?<month>${MONTH})(?:,? 20\\d\\d)?(?![ -]+\\d)`,
    dated,
  ],
  [
    `(?:on |by )?(?:(?<weekday>${WEEKDAY}),? )?(?<month>${MONTH}),? (?:the )?(?<day>${ORDINAL}|\\d{1,2})(?! (?:percent|pounds|euros|people|of us))\\b`,
    dated,
  ],
  [
    `(?:on |by )?(?:(?:next|this|the) )?(?<weekday>${WEEKDAY})(?: then|'s)?,? (?:the )?(?<day>${ORDINAL})(?! (?:thing|time|floor|half|week)\\b)`,
    dated,
  ],
  [`(?:on |by )?(?:the )?(?<nth>first|second|third|fourth) (?<weekday>${WEEKDAY}) (?:in|of) (?<month>${MONTH})`, nthOf],
  [
    `(?:on|by) the (?!(?:first|second|third)\\b)(?<day>${ORDINAL})(?! (?:floor|one|time|day|week|page|try|call|of a)\\b)`,
    dated,
  ],
  [
    `the (?<day>${ORDINAL})(?: of (?<same>the|this|next) month)?(?=\\s*(?:$|[.,!?;:…]|(?:at|then|is|would|works?|if|or|and|in|for|please|so|suits?|okay|ok|it|from|that|with|will|okay|we|i)\\b))(?! (?:and|or) (?:\\w+ )?(?:floor|one|thing|time|last|second|third))(?<!(?:this is|that's|it's|be|was|is|in) the (?:first|second|third))`,
    dated,
  ],
  ['(?<iso>20\\d\\d-\\d\\d-\\d\\d)', ({ iso = '' }, { day }) => Date.parse(iso) / DAY_MS - day],
  ['(?:on )?(?<a>\\d{1,2})/(?<b>\\d{1,2})(?:/(?:20)?\\d\\d)?(?![\\d%/])', numeric],
  ['christmas eve', (_, call) => inYear(call, 24, 11)],
  ['boxing day', (_, call) => inYear(call, 26, 11)],
  ["new year'?s eve", (_, call) => inYear(call, 31, 11)],
  [
    `(?:(?:by|before|at|towards) )?(?:(?:early|late|later|sometime|the (?:end|start|beginning|middle|back end) of|mid|middle of|end of|beginning of|start of) )?(?:in )?(?:the )?(?:next|this|following|coming) (?:week|weekend|month|quarter|year|spring|summer|autumn|winter|few days|couple of (?:days|weeks))`,
    unfixed,
  ],
  [
    `(?:in|after|within|inside) (?:about |around |the next )?(?:${COUNT}|a few|few|a couple|half an?)(?: or (?:two|three|so))? (?:working days?|days?|weeks?|months?|years?|fortnight)(?:'?s? time)?|in a (?:week|month|year|fortnight)|(?:a|six|three|two) (?:months?|weeks?|years?) (?:from now|down the line)|in (?:a week|six months) or so`,
    unfixed,
  ],
  [
    `(?:by |before |after |over |until |at |for )?(?:the )?(?:early |late |mid |middle of |beginning of |start of |end of )?(?:in )?(?:the (?:weekend|new year|half term)|christmas|easter|half term|new year)`,
    unfixed,
  ],
  ['(?:at |over |this )the weekend|at weekends?', unfixed],
  [
    '(?:by |at |before )?(?:the )?(?:end|middle|start|beginning) of (?:the )?(?:week|month|quarter|year|season)',
    unfixed,
  ],
  [
    `(?:in|by|before|after|until|early|late|mid|next|from|(?:the )?(?:end|middle|start|beginning) of)(?: in)? ${MONTH}|in (?:the )?(?:spring|summer|autumn|winter)`,
    unfixed,
  ],
];

/** Times of the day. They belong to the day that stands beside them. */
const CLOCK: readonly string[] = [
  `(?:(?:at|by|before|after|about|around|from|for|say) ){0,2}(?:half(?: past)? ${HOUR}|(?:a )?quarter (?:past|to) ${HOUR}|${MINUTES} (?:past|to) ${HOUR})(?: in the ${PART}| (?:[ap]\\.?m\\b\\.?|[ap] m\\b))?`,
  `(?:(?:at|by|before|after|about|around|from|say) ){0,2}(?:${HOUR}(?: ${MINUTES})?(?::[0-5]\\d)?) ?(?:o'?clock|[ap]\\.?m\\b\\.?|[ap] m\\b|ish\\b)(?: (?:in the ${PART}|sharp))?`,
  '(?:(?:at|by|before|after|about|around|from|say) ){0,2}(?:[01]?\\d|2[0-3]):[0-5]\\d(?![\\d%])',
  '(?:at|by|before|after|around) (?:[01]?\\d|2[0-3])[.][0-5]\\d(?![\\d%])',
  `(?:(?:at|by|before|about|around|till|until|from|for|after) )(?:about |around |say )?${HOUR}(?: (?:thirty|fifteen|forty[ -]five))?${AFTER_HOUR}(?: in the ${PART})?`,
  `(?:between|from) ${HOUR}(?: ${MINUTES})? (?:and|to|till|until) ${HOUR}(?: ${MINUTES})?(?! (?:percent|pounds|thousand|hundred|people|weeks|days|grand|quid))`,
  `(?:first thing(?: in the morning)?|(?:in|during) the ${PART}|(?:(?:at|by|before|after|around|over) )?(?:lunch ?time|mid ?day|noon|midnight|tea ?time)|(?:before|after|over) lunch|any ?time (?:after|before) ${HOUR}|last thing)`,
];
/** An hour without a preposition counts beside a day: "ten on Thursday", "Thursday half two". */
const BARE_HOUR = `${HOUR}(?: ${MINUTES})?${AFTER_HOUR}`;

const GAP =
  /^(?:[\s,]|\b(?:at|on|about|around|say|by|from|for|in|the|maybe|then|any ?time|sometime|between|after|before|is|yeah|so|of)\b)*$/;
/** An hour belongs to a day that ends at most this many characters before it. */
const NEAR = 9;
/** After these words a day is in the past, a habit or a limit. */
const NOT_AHEAD = /\b(?:last|every|each|since|previous|on (?:a|your)|most|it'?s|was|were|until|till|(?<!why )not) $/;

/** Words by which a speaker takes the day before them back. */
const CORRECTS = /^,? (?:no,? )?(?:sorry|i mean|or rather|no,? wait),?(?: no,?)? $/;

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
  const lower = text.toLowerCase().replaceAll('’', "'");
  // A letter whose lower case is longer would shift the offsets.
  if (lower.length !== text.length) return [];
  const epoch = date === null ? 0 : Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  const call = { day: epoch, weekday: new Date(epoch * DAY_MS).getUTCDay() };
  const found: Span[] = [];
  DAY_PATTERNS.forEach((pattern, index) => {
    for (const match of lower.matchAll(pattern)) {
      const start = match.index;
      if (NOT_AHEAD.test(lower.slice(Math.max(0, start - 12), start))) continue;
      found.push({ start, end: start + match[0].length, ahead: DAYS[index]?.[1](match.groups ?? {}, call) ?? null });
    }
  });
  for (const pattern of CLOCK_PATTERNS)
    for (const match of lower.matchAll(pattern)) found.push({ start: match.index, end: match.index + match[0].length });
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
    if (before || ahead) found.push({ start, end });
  }
  const times = joined(longest(found), lower);
  const isCorrected = ({ end, ahead }: Span, at: number) =>
    ahead !== undefined &&
    times.slice(at + 1).some((next) => next.ahead !== undefined && CORRECTS.test(lower.slice(end, next.start)));
  return times
    .filter((time, at) => !isCorrected(time, at))
    .map(({ start, end, ahead, or }) => ({
      text: text.slice(start, end),
      start,
      end,
      day: date === null || or || ahead === undefined || ahead === null || ahead < 0 ? null : dateAt(epoch + ahead),
      names: ahead !== undefined,
    }));
}

/** Of spans that overlap the one that begins first, then the longest. */
function longest(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
  }
  return kept;
}

/** Joins times that stand beside each other. `or`: one of several days, or two that contradict each other. */
function joined(spans: readonly Span[], text: string): (Span & { or: boolean })[] {
  const times: (Span & { or: boolean })[] = [];
  for (const span of spans) {
    const last = times.at(-1);
    const between = last === undefined ? '' : text.slice(last.end, span.start);
    const bothDays = last?.ahead !== undefined && span.ahead !== undefined;
    if (last !== undefined && between.length <= 16 && GAP.test(between)) {
      last.end = span.end;
      const [one, two] = [last.ahead ?? null, span.ahead ?? null];
      // An hour beside "next week" leaves it a period of days.
      if (one === null || two === null) last.ahead ??= span.ahead === undefined ? last.ahead : span.ahead;
      // "Thursday, the ninth": the later is the same weekday, said more exactly.
      else if ((two - one) % 7 === 0) last.ahead = Math.max(one, two);
      else last.or = true;
    } else if (last !== undefined && bothDays && /^ ?(?:or|to|and|through)(?: maybe| the| on)? ?$/.test(between)) {
      last.end = span.end;
      last.or = true;
    } else if (
      last !== undefined &&
      span.ahead === undefined &&
      last.ahead === undefined &&
      /^ (?:or|and|to) $/.test(between)
    ) {
      last.end = span.end;
    } else times.push({ ...span, or: false });
  }
  return times;
}

function dateAt(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function count_(word: string | undefined): number {
  return /^\d+$/.test(word ?? '') ? Number(word) : Math.max(1, UNITS.indexOf(word ?? '') + 1);
}

function weekdayIn({ weekday, weekday2 }: Parameters<Reading>[0]): number {
  return WEEKDAYS.findIndex((name) => (weekday ?? weekday2 ?? '?').startsWith(name.slice(0, 3)));
}

/** The next such day; on a Tuesday "Tuesday" is a week ahead. */
function nextWeekday(match: Parameters<Reading>[0], { weekday }: Call): number {
  return (weekdayIn(match) - weekday + 7) % 7 || 7;
}

/** "Next Friday" said on a Monday is the one of the week after: so in 15 of 15 written calls that fix the day. */
function nextNamed(match: Parameters<Reading>[0], call: Call): number {
  const sameWeek = weekdayIn(match) > call.weekday && call.weekday > 0;
  return nextWeekday(match, call) + (sameWeek ? 7 : 0);
}

function weekdayOfWeek(match: Parameters<Reading>[0], { weekday }: Call): number | null {
  const week = match.week ?? '';
  const weeks = /after next|two|2|fortnight/.test(week) ? 2 : week.startsWith('this') ? 0 : 1;
  const monday = -((weekday + 6) % 7);
  // "The week after" may count from a week that was named before.
  if (week === 'the week after') return null;
  return monday + 7 * weeks + ((weekdayIn(match) + 6) % 7);
}

/** The first such day on or after the call; with a weekday the first that falls on it. */
function dated(match: Parameters<Reading>[0], call: Call): number | null {
  const day = dayNumber(match.day ?? '');
  const month =
    match.month === undefined ? null : MONTHS.findIndex((name) => name.startsWith(match.month?.slice(0, 3) ?? '?'));
  const start = new Date(call.day * DAY_MS);
  const first = match.same === 'next' ? 1 : 0;
  for (let ahead = first; ahead < 13; ahead += 1) {
    const found = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + ahead, day));
    if (found.getUTCDate() !== day || found < start || (month !== null && found.getUTCMonth() !== month)) continue;
    const days = found.getTime() / DAY_MS - call.day;
    if (match.weekday === undefined) return days > FARTHEST ? null : days;
    if (days > FARTHEST_WEEKDAY) return null;
    if (found.getUTCDay() === weekdayIn(match)) return days;
  }
  return null;
}

/** "The first Monday in March" */
function nthOf(match: Parameters<Reading>[0], call: Call): number | null {
  const nth = ORDINALS.indexOf(match.nth ?? '');
  for (let day = 7 * nth + 1; day <= 7 * nth + 7; day += 1) {
    const ahead = dated({ ...match, day: String(day) }, call);
    if (ahead !== null) return ahead;
  }
  return null;
}

function dayNumber(text: string): number {
  const digits = /^\d+/.exec(text)?.[0];
  if (digits !== undefined) return Number(digits);
  const [tens, unit] = text.split(/[ -]/);
  if (text === 'thirtieth') return 30;
  if (unit === undefined) return ORDINALS.indexOf(text) + 1;
  return (tens === 'twenty' ? 20 : 30) + ORDINALS.indexOf(unit) + 1;
}

/** 14/11 is the 14th of November; where both numbers can be the month, the words do not say. */
function numeric({ a, b }: Parameters<Reading>[0], call: Call): number | null {
  const [one, two] = [Number(a), Number(b)];
  const [day, month] = one > 12 ? [one, two] : [two, one];
  if (day === month || (day > 12 && day <= 31 && month >= 1 && month <= 12)) return inYear(call, day, month - 1);
  return null;
}

function inYear(call: Call, day: number, month: number): number | null {
  return dated({ day: String(day), month: MONTHS[month] }, call);
}
