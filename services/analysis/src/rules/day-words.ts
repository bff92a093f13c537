/** The day of a call. */
interface CallDay {
  /** Days since the epoch. */
  day: number;
  /** 0 is Sunday. */
  weekday: number;
}
/** The groups of a match to days after the call, null where the words do not fix one. */
type Reading = (match: Readonly<Record<string, string | undefined>>, call: CallDay) => number | null;

const oneOf = (...parts: readonly string[]) => `(?:${parts.join('|')})`;

const UNITS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const ORDINALS = [
  ...'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth'.split(' '),
  ...'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(' '),
];
export const DAY_MS = 86_400_000;
/** A day that is farther ahead, in days, is more likely one that has just been. */
const MAX_DAYS_AHEAD = 300;
/** A day of the month with its weekday fixes a month that is at most this far ahead, in days. */
const MAX_WEEKDAY_AHEAD = 100;

const HOLIDAY = oneOf(
  "christmas|boxing day|new year(?:'s)?|easter(?: monday)?|(?:may |august |spring )?bank holiday|half[ -]term",
  'thanksgiving|memorial day|labou?r day|independence day|the fourth of july|diwali|ramadan|eid',
);
const HOUR = `${oneOf(...UNITS, '1[0-9]', '2[0-3]', '[1-9]')}(?!\\d)`;
const COUNT = oneOf('an?', 'a couple of', ...UNITS.slice(0, 10), '\\d{1,2}');
const NUMBER = oneOf(...UNITS.slice(0, 10), 'fourteen|fifteen|twenty|thirty|forty[ -](?:five|eight)|\\d{1,2}');
/** "Three to five working days" */
const DAYS_COUNTED = `(?:${NUMBER} (?:to|or) )?${NUMBER}`;
const TENS = '(?:[ -]five)?';
const MINUTES = oneOf(
  '(?:oh |0)?five|ten|quarter|fifteen|thirty|\\d\\d',
  ...['twenty', 'forty', 'fifty'].map((tens) => tens + TENS),
);
export const DAY_OF_WEEK = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const WEEKDAY = `(?:${DAY_OF_WEEK}|tues|weds|thurs)`;
const MONTH = oneOf(...MONTHS, 'jan|feb|aug|sept|oct|nov|dec');
const ORDINAL = oneOf(
  '\\d{1,2}(?:st|nd|rd|th)',
  `(?:twenty|thirty)[ -]${oneOf(...ORDINALS.slice(0, 9))}`,
  ...['thirtieth', ...ORDINALS],
);
const WEEK = oneOf(
  'next week|the week after next|the following week|the week after|this week|in a week',
  'in (?:two|2) weeks|in a fortnight',
);
/** The end of a working day. */
const CLOSE = '(?:end|close) of (?:play|business|day)';
const PART = `(?:morning|afternoon|arvo|evening|night|lunch ?time|tea ?time|[ap]m|${CLOSE})`;
const END = '(?:the )?(?:end|middle|start|beginning) of';
/** What can follow a bare number that is an hour: "at two on Friday", not "at two sites". */
const AFTER_HOUR = [
  '(?=\\s*(?:$|[.,!?;:…]|(?:on|today|tomorrow|this|next|then|if|or|and|is|it|that|to|till|until|works?|okay|ok|would',
  '|will|please|sharp|with|so|but|for|i|we|you|he|she|they|in|when|latest|at|suits?|any|good|alright|all|the|pm|am',
  '|yeah|yes|no|lovely|great|perfect|because|cause|your|my|our|teams|thanks?|sir|just|can|could|shall|right|bye|before',
  "|after|ma'am|once|mon|tues|wednes|thurs|fri|satur|sun)\\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day))",
  '(?!\\s+(?:and a half|in (?:ten|five|three|four)|or (?:two|three|four|five)\\b|to (?:one|our)\\b',
  '|for (?:one|the price)))',
].join('');

const unfixed: Reading = () => null;
const after =
  (days: number): Reading =>
  () =>
    days;

/** Times that name a day or a period; of two that begin together the longer counts. */
export const DAYS: readonly (readonly [pattern: string, reading: Reading])[] = [
  ['(?:the )?day after tomorrow', after(2)],
  ['(?:a week tomorrow|tomorrow week)', after(8)],
  [
    [
      `(?:by )?(?:${CLOSE} |first thing |early |late |later |this time |same time )?`,
      `tomorrow(?: ${PART})?(?: first thing)?`,
    ].join(''),
    after(1),
  ],
  ['within (?:twenty[ -]four|24) hours', after(1)],
  [
    oneOf(
      '(?:later |early |late |by the end of )?today|(?:by )?tonight',
      'this (?:very )?(?:morning|afternoon|arvo|evening|lunch ?time)',
      `(?:by |at |before )?(?:the )?end of (?:the|this) ?(?:working )?day|(?:by|before) (?:the )?${CLOSE}`,
      'end of (?:play )?day|right away|straight ?away|right now|this (?:very )?minute',
      'in (?:a (?:sec|second|minute|moment|bit|few minutes)|the next (?:hour|half hour|few minutes))',
      `(?:in|within) (?:about )?(?:(?:the next )?(?:${COUNT}|${NUMBER}) (?:minutes?|hours?)|half an hour)`,
      '(?:within|inside) (?:the (?:next )?|an )hour',
    ),
    after(0),
  ],
  [
    '(?:a week (?:today|from (?:today|now))|today week|(?:(?:at )?(?:the )?same|this) (?:time|day) next week)',
    after(7),
  ],
  ['(?:a fortnight|two weeks) (?:today|from today)', after(14)],
  ['(?<count>three|four|six) weeks today', ({ count }) => 7 * numberOf(count)],
  [
    `in (?<count>${COUNT}) days?(?:'?s? time)?|(?:for )?(?<count2>${COUNT}) days? from (?:now|today)`,
    ({ count, count2 = count }) => (count2 === 'a couple of' ? null : numberOf(count2)),
  ],
  [
    [
      `(?:early |late |later |(?:(?:at|by) )?${END} )?(?:in )?(?<week>${WEEK})`,
      `(?:,? (?:on|sometime|say|maybe)(?: the)?)?,? (?:(?:early|late) )?(?<weekday>${WEEKDAY})(?: ${PART})?`,
    ].join(''),
    weekdayOfWeek,
  ],
  [`(?:early |late )?(?<weekday>${WEEKDAY})(?: ${PART})?(?: of)? (?<week>${WEEK})`, weekdayOfWeek],
  [
    `(?:on |by )?(?:(?:a )?week (?:on|from|this) (?<weekday>${WEEKDAY})(?: ${PART})?|(?<weekday2>${WEEKDAY}) week)`,
    (match, call) => nextWeekday(match, call) + 7,
  ],
  [`(?:on |by )?(?<weekday>${WEEKDAY}) fortnight`, (match, call) => nextWeekday(match, call) + 14],
  [
    [
      `(?:on |by )?(?:the )?(?!(?:first|second|third) ${WEEKDAY})(?<day>${ORDINAL})`,
      `,? (?:that's |a |on (?:a|the) )?(?<weekday>${WEEKDAY})`,
    ].join(''),
    dated,
  ],
  [`the ${WEEKDAY} after(?: that)?|${WEEKDAY} after that`, unfixed],
  [`before (?:this )?(?<weekday>${WEEKDAY})(?: ${PART})?`, nextWeekday],
  [`(?:on )?(?:the )?(?<weekday>${WEEKDAY}) after next(?: ${PART})?`, (match, call) => nextNamed(match, call) + 7],
  [`(?:early |late )?(?:next|the following) (?<weekday>${WEEKDAY})(?: ${PART})?`, nextNamed],
  [
    [
      `(?:first thing |early |late |by ${CLOSE} |(?:this|this coming|coming|by(?! on\\b)) )?`,
      `(?:on )?(?<weekday>${WEEKDAY})(?: coming)?`,
      "(?:'s|s(?= (?:fine|good|great|perfect|okay|ok|better|best|free|clear|are|i'm|we're|they're|she's|he's)\\b))?",
      `(?: ${PART})?(?: first thing)?`,
    ].join(''),
    nextWeekday,
  ],
  [
    [
      `(?:on |by )?(?:(?<weekday>${WEEKDAY}),? )?(?:the )?`,
      `(?<day>${ORDINAL}|\\d{1,2}) (?:of )?(?<month>${MONTH})(?:,? 20\\d\\d)?(?![ -]+\\d)`,
    ].join(''),
    dated,
  ],
  [
    [
      `(?:on |by )?(?:(?<weekday>${WEEKDAY}),? )?(?<month>${MONTH}),? (?:the )?`,
      `(?<day>${ORDINAL}|\\d{1,2})(?! (?:percent|pounds|euros|people|of us))\\b`,
    ].join(''),
    dated,
  ],
  [
    [
      `(?:on |by )?(?:(?:next|this|the) )?(?<weekday>${WEEKDAY})(?: then|'s)?,? (?:the )?`,
      `(?<day>${ORDINAL})(?! (?:thing|time|floor|half|week)\\b)`,
    ].join(''),
    dated,
  ],
  [`(?:on |by )?(?:the )?(?<nth>first|second|third|fourth) (?<weekday>${WEEKDAY}) (?:in|of) (?<month>${MONTH})`, nthOf],
  [
    [
      `(?:on|by) the (?!(?:first|second|third)\\b)(?<day>${ORDINAL})`,
      '(?! (?:floor|one|time|day|week|page|try|call|of a)\\b)',
    ].join(''),
    dated,
  ],
  [`(?<![^.?!] )(?!(?:first|second|third)\\b)(?<day>${ORDINAL})(?=,| at\\b| then\\b|[.?!]|$)`, dated],
  ['(?:on |by )?(?<day>\\d{1,2}(?:st|nd|rd|th))(?! (?:floor|street|st|road|avenue|century|birthday)\\b)', dated],
  [
    [
      `the (?<day>${ORDINAL})(?: of (?<same>the|this|next) month)?`,
      '(?=\\s*(?:$|[.,!?;:…]|(?:at|then|is|would|works?|if|or|and|in|for|please|so',
      '|suits?|okay|ok|it|from|that|with|will|we|i)\\b))',
      '(?! (?:and|or) (?:\\w+ )?(?:floor|one|thing|time|last|second|third))',
      "(?<!(?:this is|that's|it's|be|was|is|in) the (?:first|second|third))",
    ].join(''),
    dated,
  ],
  [
    oneOf(
      `(?:on )?(?:the )?(?:day|week|weekend|${WEEKDAY}) (?:after|before|of) (?:the )?${HOLIDAY}`,
      `(?:after|before) the (?!(?:first|second|third)\\b)${ORDINAL}(?! (?:floor|one|time|day|week|page|try|call)\\b)`,
    ),
    unfixed,
  ],
  [
    oneOf(
      `between the ${ORDINAL} and (?:the )?${ORDINAL}(?: of ${MONTH})?`,
      `(?:the )?week of (?:${MONTH} )?(?:the )?${ORDINAL}(?: of ${MONTH})?`,
    ),
    unfixed,
  ],
  ['(?<iso>20\\d\\d-\\d\\d-\\d\\d)', ({ iso = '' }, { day }) => Date.parse(iso) / DAY_MS - day],
  ['(?:on )?(?<a>\\d{1,2})/(?<b>\\d{1,2})(?:/(?:20)?\\d\\d)?(?![\\d%/])', numeric],
  ['christmas eve', (_, call) => inYear(call, 24, 11)],
  ['boxing day', (_, call) => inYear(call, 26, 11)],
  ["new year'?s eve", (_, call) => inYear(call, 31, 11)],
  [
    [
      `(?:(?:by|before|at|towards) )?(?:(?:early|late|later|sometime|mid|${END}|the back end of) )?(?:in )?(?:the )?`,
      '(?:(?:next|this|following|coming) ',
      '(?:week|weekend|month|quarter|spring|summer|autumn|winter|few days|couple of (?:days|weeks))|next year)',
    ].join(''),
    unfixed,
  ],
  [
    oneOf(
      `(?:in|after|within|inside) (?:about |around |the next )?(?:${COUNT}|a few|few|a couple|half an?)` +
        "(?: or (?:two|three|so))? (?:working days?|days?|weeks?|months?|years?|fortnight)(?:'?s? time)?",
      'in a (?:week|month|year|fortnight)|(?:a|six|three|two) (?:months?|weeks?|years?) (?:from now|down the line)',
      'in (?:a week|six months) or so',
      `${DAYS_COUNTED} (?:working|business) days|(?:in |within |(?<=\\btakes? ))${DAYS_COUNTED} (?:days|weeks)`,
    ),
    unfixed,
  ],
  [
    [
      `(?:by |before |after |over |until |at |for |during )?(?:the )?(?:early |late |mid |${END} )?(?:in )?`,
      `(?:the (?:weekend|new year|half term)|christmas|easter|(?:${MONTH} )?half term|new year)`,
    ].join(''),
    unfixed,
  ],
  ['(?:at |over |this )the weekend|at weekends?', unfixed],
  ['(?:in )?the week after (?:next|that)|(?:in )?week (?:\\d\\d|(?:twenty|thirty|forty|fifty)(?:[ -]\\w+)?)', unfixed],
  [`(?:by |at |before )?${END} (?:the )?(?:week|month|quarter|year|season)`, unfixed],
  [
    oneOf(
      `(?:in|by|before|after|until|early|late|mid|next|from|for|(?:by |at |before )?${END})(?: in)? ${MONTH}`,
      `(?:in )?(?:the )?(?:first|second|third|last) week (?:in|of) (?:${MONTH}|the month)`,
      'in (?:the )?(?:spring|summer|autumn|winter)',
    ),
    unfixed,
  ],
];

const OF_DAY = `(?: in the ${PART}| (?:[ap]\\.?m\\b\\.?|[ap] m\\b))?`;
/** Times of the day. They belong to the day that stands beside them. */
export const CLOCK: readonly string[] = [
  [
    '(?:(?:at|by|before|after|about|around|from|for|say) ){0,2}',
    `(?:half(?: past)? ${HOUR}|(?:a )?quarter (?:past|to) ${HOUR}|${MINUTES} (?:past|to) ${HOUR})${OF_DAY}`,
  ].join(''),
  [
    `(?:(?:at|by|before|after|about|around|from|say) ){0,2}(?:${HOUR}(?: ${MINUTES})?(?::[0-5]\\d)?)`,
    ` ?(?:o'?clock|[ap]\\.?m\\b\\.?|[ap] m\\b|ish\\b)(?: (?:in the ${PART}|sharp))?`,
  ].join(''),
  `${HOUR} in the (?:morning|afternoon|evening)`,
  '(?:(?:at|by|before|after|about|around|from|say) ){0,2}(?:[01]?\\d|2[0-3]):[0-5]\\d(?![\\d%])',
  '(?:at|by|before|after|around) (?:[01]?\\d|2[0-3])[.][0-5]\\d(?![\\d%])',
  [
    `(?:(?:at|by|before|about|around|from|for|after) )(?:about |around |say )?${HOUR}`,
    `(?: (?:thirty|fifteen|forty[ -]five))?${AFTER_HOUR}(?: in the ${PART})?`,
  ].join(''),
  [
    `(?:between|from|for) ${HOUR}(?: ${MINUTES})? (?:and|to|till|until) (?:noon|${HOUR}(?: ${MINUTES})?)`,
    '(?! (?:percent|pounds|dollars|thousand|hundred|people|grand|quid|(?:working |business )?days',
    '|(?:minute|hour|week|month|year)s))',
  ].join(''),
  oneOf(
    `first thing(?: in the morning)?|(?:in|during) the ${PART}|(?:before|after|over|post) (?:lunch|work|school|close)`,
    '(?:(?:at|by|before|after|around|over) )?(?:lunch ?time|mid ?day|noon|midnight|tea ?time)',
    `any ?time (?:after|before) ${HOUR}|last thing(?! (?:before|is|i|we|you|to)\\b)`,
  ),
];
/** An hour without a preposition counts beside a day: "ten on Thursday", "Thursday half two", "Friday eight to ten". */
export const BARE_HOUR = `${HOUR}(?: ${MINUTES})?(?: to ${HOUR}(?: ${MINUTES})?)?${AFTER_HOUR}`;

function numberOf(word: string | undefined): number {
  return /^\d+$/.test(word ?? '') ? Number(word) : Math.max(1, UNITS.indexOf(word ?? '') + 1);
}

function weekdayIn({ weekday, weekday2 }: Parameters<Reading>[0]): number {
  return WEEKDAYS.findIndex((name) => (weekday ?? weekday2 ?? '?').startsWith(name.slice(0, 3)));
}

/** The next such day; on a Tuesday "Tuesday" is a week ahead. */
function nextWeekday(match: Parameters<Reading>[0], { weekday }: CallDay): number {
  return (weekdayIn(match) - weekday + 7) % 7 || 7;
}

/** "Next Friday" said on a Monday is the one of the week after: so in 15 of 15 written calls that fix the day. */
function nextNamed(match: Parameters<Reading>[0], call: CallDay): number {
  const sameWeek = weekdayIn(match) > call.weekday && call.weekday > 0;
  return nextWeekday(match, call) + (sameWeek ? 7 : 0);
}

function weekdayOfWeek(match: Parameters<Reading>[0], { weekday }: CallDay): number | null {
  const week = match.week ?? '';
  const weeks = /after next|two|2|fortnight/.test(week) ? 2 : week.startsWith('this') ? 0 : 1;
  const monday = -((weekday + 6) % 7);
  // "The week after" may count from a week that was named before.
  if (week === 'the week after') return null;
  return monday + 7 * weeks + ((weekdayIn(match) + 6) % 7);
}

/** The first such day on or after the call; with a weekday the first that falls on it. */
function dated(match: Parameters<Reading>[0], call: CallDay): number | null {
  const day = dayNumber(match.day ?? '');
  const month =
    match.month === undefined ? null : MONTHS.findIndex((name) => name.startsWith(match.month?.slice(0, 3) ?? '?'));
  const start = new Date(call.day * DAY_MS);
  const first = match.same === 'next' ? 1 : 0;
  for (let ahead = first; ahead < 13; ahead += 1) {
    const found = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + ahead, day));
    if (found.getUTCDate() !== day || found < start || (month !== null && found.getUTCMonth() !== month)) continue;
    const days = found.getTime() / DAY_MS - call.day;
    if (match.weekday === undefined) return days > MAX_DAYS_AHEAD ? null : days;
    if (days > MAX_WEEKDAY_AHEAD) return null;
    if (found.getUTCDay() === weekdayIn(match)) return days;
  }
  return null;
}

/** "The first Monday in March" */
function nthOf(match: Parameters<Reading>[0], call: CallDay): number | null {
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
function numeric({ a, b }: Parameters<Reading>[0], call: CallDay): number | null {
  const [one, two] = [Number(a), Number(b)];
  const [day, month] = one > 12 ? [one, two] : [two, one];
  if (day === month || (day > 12 && day <= 31 && month >= 1 && month <= 12)) return inYear(call, day, month - 1);
  return null;
}

function inYear(call: CallDay, day: number, month: number): number | null {
  return dated({ day: String(day), month: MONTHS[month] }, call);
}
