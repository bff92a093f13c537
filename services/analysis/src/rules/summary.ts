import type { Role } from '@call-analytics/calls';
import { MISTAKES, type ObjectionKind } from '../call/catalogue.ts';
import { cut } from '../call/evidence.ts';
import type { Observations } from '../call/observations.ts';
import { timesIn } from './days.ts';
import type { Dialogue } from './dialogue.ts';
import type { AgreedStep } from './next-step.ts';
import { CLASSES } from './patterns.ts';
import { anyOf } from './proposals.ts';
import { withinSentence } from './step-titles.ts';

/** Clauses in which people introduce themselves. */
const INTRODUCTION = 8;
/** How often a customer must be addressed by a name before it counts as theirs. */
const ADDRESSED = 2;
/** The longest quote in a summary, in characters. */
const MAX_QUOTE = 160;

const FOUND: Readonly<Record<ObjectionKind, string>> = {
  price: 'found the price too high',
  timing: 'said that the time does not suit',
  competitor: 'has or prefers another provider',
  authority: 'has to ask someone else',
  trust: 'had doubts',
  need: 'saw no need',
  commitment: 'did not want a long commitment',
  effort: 'expected too much effort from a change',
  brush_off: 'put it off or refused',
};

/** How likely an objection must be to be in the summary, which is read first and without its words. */
const SUMMED_UP = 0.75;
/** And to be quoted there, where its kind is not certain. */
const QUOTED = 0.9;

/** Objections of no certain kind are quoted, and only when there is no other. */
function objectionsIn({ objections, saleStatus }: Pick<Observations, 'objections' | 'saleStatus'>): string {
  const [first, ...others] = objections
    .filter(({ kind, likely = 1 }) => likely >= (kind === null ? QUOTED : SUMMED_UP))
    // That the customer declined is said anyway.
    .filter(({ kind }) => kind !== 'brush_off' || saleStatus !== 'not_sold');
  if (first === undefined) return '';
  const kinds = [first, ...others].flatMap(({ kind }) => (kind === null ? [] : [FOUND[kind]]));
  if (kinds.length > 0) return `The customer ${listed(kinds)}.`;
  const { quote } = first.evidence;
  return `The customer objected: “${shortened(quote)}”`;
}

const ENDED = {
  sold: 'The customer agreed to buy.',
  not_sold: 'The customer declined.',
  follow_up: '',
  unclear: '',
} as const;

/** The step that moves the matter on, and others that have a name: of one without a name, its time says nothing. */
function stepsIn({ step, titles, main }: AgreedStep): string {
  const times = step.steps.map(({ when }) => timeOf(when));
  const named = titles.map((title, at) => [withinSentence(title), times[at]].filter((part) => part).join(' '));
  const others = named.filter((_name, at) => at !== main && withinSentence(titles[at]) !== undefined);
  const also = others.length === 0 ? '' : ` Also agreed: ${listed(others)}.`;
  const name = named[main] ?? '';
  if (name === '') return `A next step was agreed.${also}`;
  // "The next step is on Tuesday", but "is due by Friday".
  const due = withinSentence(titles[main]) === undefined && /^(?:by|before|within)\b/i.test(name) ? 'due ' : '';
  return `The next step is ${due}${name}.${also}`;
}

/** Summarizes a call in a few sentences, of a sales call with names and facts only where the words are certain. */
export function summaryOf(
  dialogue: Dialogue,
  observed: Omit<Observations, 'summary'>,
  agreed: AgreedStep | null,
  purposes: readonly string[],
): string {
  const { product, customerIntent, saleStatus } = observed;
  const manager = introduced(dialogue, 'manager');
  const customer = introduced(dialogue, 'customer') ?? addressed(dialogue);
  // "Tom from Pipewell spoke with Susan about Pipewell" says nothing more than without the product.
  const about = product === null || manager?.includes(product) ? '' : ` about ${product}`;
  // Of any call with a manager and a customer it is true that they spoke.
  const who =
    manager === null && customer === null && product === null
      ? ''
      : `${manager ?? 'The manager'} spoke with ${customer ?? 'the customer'}${about}.`;
  const quote = customerIntent?.evidence?.quote ?? '';
  const isSales = observed.kind.kind === 'sales';
  const step = observed.nextStep === null || agreed === null ? '' : stepsIn(agreed);
  const mistakes = mistakesIn(observed);
  const isOpen = saleStatus === 'unclear' && observed.missing.includes('next_step');
  const open = isOpen ? 'No decision and no agreed next step were found.' : '';
  const wish = quote === '' ? '' : `The customer said: “${shortened(quote.replace(FILLERS, ''))}”`;
  if (!isSales) {
    return [wish || beginningOf(dialogue, purposes), ENDED[saleStatus], step]
      .filter((sentence) => sentence !== '')
      .join(' ');
  }
  return [who, wish, objectionsIn(observed), mistakes, ENDED[saleStatus], step || open]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The mistakes of certain kinds, each once. */
function mistakesIn({ mistakes }: Pick<Observations, 'mistakes'>): string {
  const kinds = new Set(mistakes.flatMap(({ kind }) => kind ?? []));
  const done = [...kinds].map((kind) => MISTAKES[kind].title.replace(/^./, (first) => first.toLowerCase()));
  return done.length === 0 ? '' : `The manager ${listed(done)}.`;
}

/** "Oh hi yeah um my boiler is broken" */
const FILLERS = new RegExp(
  '^(?:(?:oh|yeah|yes|um+|uh+|erm?|well|so|okay|ok|right|look|and|but)\\b[,.!]*\\s+' +
    '|(?:hi|hiya|hello|hey)\\b[,.!]*\\s+(?=(?:yeah|yes|um+|uh+|so|i|we|my)\\b))+(?=\\S+ \\S)',
  'i',
);

function shortened(quote: string): string {
  return quote.length <= MAX_QUOTE ? quote : `${cut(quote, MAX_QUOTE)} …`;
}

/** A line with fewer words says nothing of what a call is about. */
const TELLING_WORDS = 6;

/** Every call begins so: it says nothing of the matter, unless many words follow. */
const FORMAL = anyOf(
  'thank(?:s| you) for calling|how (?:can|may|could) (?:I|we) help|(?:may|can) be recorded|after the (?:beep|tone)',
  "you(?:['’]ve| have) reached|leave (?:me |us )?(?:a|your) (?:message|name)|this is|my name is|speaking",
  "is (?:that|this) (?:\\w+ ?){1,4}$|(?:it['’]s|i['’]m) (?:\\w+ ){1,3}(?:at|from|with)",
);
/** So many words tell more than a greeting, a name and a company. */
const MORE_THAN_FORMAL = 30;

/** What is said first that is more than a greeting, of a call whose matter the rules do not know. */
function beginningOf({ lines }: Dialogue, purposes: readonly string[]): string {
  const first = lines.slice(0, INTRODUCTION).map(({ text }) => text);
  const telling = [...purposes, ...first].find((text) => {
    const words = text.split(/\s+/).length;
    return words >= TELLING_WORDS && (words >= MORE_THAN_FORMAL || !FORMAL.test(text));
  });
  return telling === undefined ? '' : `Near the beginning: “${cut(telling)}”`;
}

const NAME = String.raw`\p{Lu}[\p{L}'’-]+`;
const COMPANY = String.raw`\p{Lu}[\p{L}\p{N}&'’-]*(?: (?:and |of )?\p{Lu}[\p{L}\p{N}&'’-]*)*`;
const INTRODUCES = new RegExp(
  `(?:[Tt]his is|[Mm]y name is|[Mm]y name's|[Ii]t's|[Ii]t is|I'm|I am) (${NAME}(?: ${NAME})?)` +
    `(?: (?:here |calling )?(?:from|with|at) (${COMPANY}))?`,
  'u',
);
const CALLED = new RegExp(
  `(?:(?:Mr|Mrs|Ms|Dr)\\.?|[Hh]i|[Hh]ello|[Tt]hanks,?|[Tt]hank you,?) (?!(?:Mr|Mrs|Ms|Dr)\\b)(${NAME})`,
  'gu',
);

/** "Tom from Pipewell", when a person of this role says so. Only in text with capitals, which show names. */
function introduced({ clauses, roles }: Dialogue, role: Role): string | null {
  for (const [index, { text }] of clauses.slice(0, INTRODUCTION).entries()) {
    if (roles[index] !== role) continue;
    const [, name, company] = INTRODUCES.exec(text) ?? [];
    if (name !== undefined && isName(name)) return company === undefined ? name : `${name} from ${company}`;
  }
  return null;
}

/** The name by which the manager addresses the customer, with its title. */
function addressed({ clauses, roles }: Dialogue): string | null {
  const times = new Map<string, number>();
  for (const [index, { text }] of clauses.entries()) {
    if (roles[index] !== 'manager') continue;
    for (const [called = '', name = ''] of text.matchAll(CALLED)) {
      const whole = /^(Mr|Mrs|Ms|Dr)\b/.test(called) ? called : name;
      if (isName(name)) times.set(whole, (times.get(whole) ?? 0) + 1);
    }
  }
  const [best] = [...times].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= ADDRESSED ? best[0] : null;
}

function isName(name: string): boolean {
  const [first = ''] = name.toLowerCase().split(' ');
  return (
    // "It's Declan's mam" names somebody else.
    !/['’]s?$/.test(name) &&
    !CLASSES.day?.has(first) &&
    !CLASSES.month?.has(first) &&
    ![
      'everyone',
      'everybody',
      'there',
      'christmas',
      'easter',
      'sir',
      'madam',
      'mr',
      'mrs',
      'ms',
      'dr',
      'again',
      'father',
      'mother',
      'sister',
      'brother',
      'doctor',
      'reverend',
    ].includes(first)
  );
}

/** A day or a date that stands without a preposition, and a time of day. */
const BARE_DAY = /^(?:the (?!end|start|beginning|middle)|(?:mon|tues|weds|wednes|thurs|fri|satur|sun)(?:day)?\b|\d)/i;
const BARE_HOUR =
  /^(?:half|quarter|\d{1,2}(?::\d\d| ?[ap]\.?m)|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)/i;

/** " on Tuesday at ten"; empty unless the words fix the day. */
function timeOf(when: string | null): string {
  if (when === null || !timesIn(when, null).some(({ names }) => names)) return '';
  const shown = proper(when.replace(/(?<=day)'s\b|,? (?:yeah|say|maybe)(?= )|,? then\b.*$/gi, ''));
  return `${BARE_HOUR.test(shown) ? 'at ' : BARE_DAY.test(shown) ? 'on ' : ''}${shown}`;
}

/** Writes days and months with a capital, other words without: neither a recognizer nor a quote may do so. */
function proper(when: string): string {
  return when.replace(/\p{L}+/gu, (word) => {
    const lower = word.toLowerCase();
    const isName = CLASSES.day?.has(lower) || CLASSES.month?.has(lower) || /^(?:christmas|easter)$/.test(lower);
    return isName && !/^(today|tonight|tomorrow)$/.test(lower) ? lower.charAt(0).toUpperCase() + lower.slice(1) : lower;
  });
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
