import { DAY_OF_WEEK } from './day-words.ts';
import { plainly } from './patterns.ts';

/** A kind of step: its title, what it is called within a sentence, and words that name it. */
interface Kind {
  title: string;
  within: string;
  words: RegExp;
}

const kind = (title: string, within: string, ...words: string[]): Kind => ({
  ...{ title, within, words: new RegExp(`\\b(?:${words.join('|')})\\b`) },
});

/** As said, and in neutral words. */
const ONE_OF_US = '(?:guys?|fellas?|lads?|m[ae]n|tech|persons?|people)';
const THERE = '(?:there|back|out|over|round|around|by|up|down)';
const CALLS = '(?:call|ring|text|phone)';
const DAY = `(?:today|tomorrow|tonight|this|next|${DAY_OF_WEEK}|the [a-z]+(?:th|st|nd|rd)\\b)`;
const ARRIVES = '(?:gets?|comes?|arrives?|sets? off|leaves?|heads?|on (?:my|our|his|her|their) way|outside|close)';

/** The more telling first. */
const KINDS: readonly Kind[] = [
  kind(
    'Demo',
    'a demo',
    String.raw`demo|demonstrat\w+|show you(?! (?:both |all |two )?(?:a?round|the way))|walk you (?:both )?through`,
    'walkthrough|(?:share|on) (?:my|the|your) screen',
  ),
  kind('Trial', 'a trial', 'trial|pilot|taster|tasting|try (?:it|one|them|out)|samples?|test (?:it|one|drive|patch)'),
  kind(
    'Assessment',
    'an assessment',
    String.raw`assess\w*|audit|valuation|apprais\w*|analysis|(?:patch|hearing|eye|sight) test`,
  ),
  kind(
    'Lesson',
    'a lesson',
    'lessons?|class(?:es)?(?! (?:today|post|stamp))|sessions?|induction|workout|masterclass|training|tutoring|tuition',
  ),
  kind(
    'Viewing',
    'a viewing',
    'viewing|show round|look round|tour|showroom|(?<!you )see (?:the|it|them|round|over|yours) ',
  ),
  kind('Survey', 'a survey', String.raw`survey\w*|measure\w*|site visit|inspect(?:ion|ed)?|look at (?:the|it|your)`),
  kind(
    'Installation',
    'the installation',
    String.raw`install\w*|fit (?:it|them|the)|fitt(?:er|ers|ed|ing)|swap|put (?:it|them) (?:in|up)`,
  ),
  kind(
    'Delivery',
    'the delivery',
    String.raw`(?:re)?deliver(?:y|ed|s|ing)?|courier|van|driver|lorry|wagon|pallet|dispatched|ship\w*|parcel`,
    '(?:it|that) goes out',
    `(?:it|they|that|those)(?:'ll be|'re|'s| will be| are| is) (?:out )?(?:with|to) you|arriv(?:es?|ing)`,
    `(?:have|get) (?:it|them|both|\\w+ both) (?:out )?(?:with|to) you|^(?:ace |done )?with you (?:by|for|on|${DAY})`,
    "drop (?:it|them|'?em)|(?:bring|have|get) (?:it|them|'?em|his) (?:to you|there|you|round|over)|tanker",
  ),
  kind(
    'Collection',
    'a collection',
    String.raw`collect\w*|(?:be|it's|they're) ready(?! to)|ready for you|pick (?:it|them|one|that|those)? ?up`,
  ),
  kind(
    'Visit',
    'a visit',
    String.raw`visit\w*|(?:come|came) (?:out|by|over|round|to|and|in|along|down|up|past|for|at|this|next|any)`,
    String.raw`come on (?:in|the|\w+day)`,
    'bring (?:it|them|his|one) (?:in|along)|pop (?:in|by|over|round|out|down)|call in|drop (?:in|by)|swing by',
    'have a look|be there|be round(?! about)|on site|(?:can|could|will) (?:i|you|he|she|they) come',
    `(?:come|coming) ${DAY}|(?:i|we)(?:'m|'ll be| am| will be) (?:there|with you)|your way`,
    String.raw`bring (?:\w+ ){1,2}(?:in|along|round)`,
    `see you (?:at|on|${DAY})|at your (?:door|gate)`,
    'engineer|electrician|technician|plumber|crew',
    `(?:have|get|send) (?:hi[ms]|her|someone|somebody|(?:a|my|our|the) ${ONE_OF_US}) ${THERE}`,
    `(?:my|our|the) ${ONE_OF_US}(?:'s| is| are|'ll be| will be)? (?:${THERE}|coming)`,
    // "He'll call you when he's on his way" announces that somebody comes.
    String.raw`${CALLS}(?: \w+){0,5} (?:before|when) (?:i|we|he|she|they)(?:'\w+| is| are| am)? ${ARRIVES}`,
  ),
  kind(
    'Meeting',
    'a meeting',
    String.raw`(?:meet\w*|teams|zoom)(?! (?:invit|link))|interview|sit down|get together|for (?:a )?coffee`,
  ),
  kind(
    'Quote',
    'a quote',
    String.raw`quot\w+|proposal|estimate|offer|figures?|prices?|pricing|rates|numbers|costs?`,
    'draw(?:n|ing)? (?:it|that|up)|in writing|on paper',
  ),
  kind(
    'Call back',
    'a call',
    'call|ring|(?<!(?:over|on|by) the )phone|bell|shout|speak|talk|catch up|touch base|(?:come|get) back to (?:you|me)',
    `let (?:me|us) know|tell (?:me|us) (?:by|on|${DAY})`,
  ),
  kind('Invoice', 'an invoice', 'invoice'),
  kind('Payment', 'a payment', 'deposit|payment|pay|direct debit'),
  kind('Contract', 'the contract', 'contract|sign|docusign|agreement'),
  kind('Paperwork', 'the paperwork', 'paperwork|forms?'),
  kind(
    'Information',
    'information',
    String.raw`send|sent|email\w*|whatsapp|text|link|post|brochure|leaflet|list|details|photos?|invite|invitation`,
    'pop (?:it|the|you|that)|documents?|policy|certificates?|licen[cs]e',
  ),
  kind(
    'Start',
    'the start',
    String.raw`start\w*|begin\w*|go live|switch (?:it|you|over)|set (?:it|you|that) up|activat\w*`,
  ),
  kind(
    'Appointment',
    'an appointment',
    String.raw`appointment|book\w*|diary|calendar|slot|put you (?:in|down)|pencil\w*`,
    `i(?:'ve| have| got)(?: got)? ${DAY}`,
  ),
];
/** The title of a step whose kind no words name. */
export const UNTITLED = 'Agreed';

/** What is sent has its own time: the hour that is said beside it is that of another step. */
export const SENT: ReadonlySet<string> = new Set([
  'Quote',
  'Invoice',
  'Payment',
  'Contract',
  'Paperwork',
  'Information',
]);

/** Titles that say too little, or are right too seldom, to be shown. */
export const UNSHOWN: ReadonlySet<string> = new Set(['Information', 'Start', 'Appointment', 'Payment', 'Viewing']);

/** Papers and money are named together: "I'll send the contract, with the deposit on it" is about the contract. */
const PAPERS: ReadonlySet<string> = new Set(['Quote', 'Invoice', 'Payment', 'Contract', 'Paperwork']);

/** @returns the most telling title that words of a text give it; of papers and money the one named first */
export function titleOf(text: string): string | undefined {
  const said = plainly(text);
  const kinds = KINDS.filter(({ words }) => words.test(said));
  const [best] = kinds;
  if (best === undefined || !PAPERS.has(best.title)) return best?.title;
  const [first] = kinds
    .filter(({ title }) => PAPERS.has(title))
    .sort((one, other) => said.search(one.words) - said.search(other.words));
  return first?.title;
}

/** @returns begin and end of the words of a text that give it this title */
export function wordsOfTitle(title: string, text: string): [number, number][] {
  const words = KINDS.find((one) => one.title === title)?.words;
  const said = text.toLowerCase().replaceAll('’', "'");
  if (words === undefined || said.length !== text.length) return [];
  return [...said.matchAll(new RegExp(words, 'g'))].map(({ 0: word, index }) => [index, index + word.length]);
}

/** @returns the most telling title that a word gives its text */
export function titleAt(text: string, { start, end }: { start: number; end: number }): string | undefined {
  return KINDS.find(({ title }) => wordsOfTitle(title, text).some(([from, to]) => start < to && end > from))?.title;
}

/** Whether people come together for it: prices, papers and calls are spoken of in any call. */
export function isWork(title: string | undefined): boolean {
  return title !== undefined && rankOf(title) <= rankOf('Visit');
}

/** How telling a title is: the lower the more. */
export function rankOf(title: string): number {
  return title === UNTITLED ? KINDS.length : KINDS.findIndex((one) => one.title === title);
}

/** "a demo"; undefined for a step whose kind no words name. */
export function withinSentence(title: string | undefined): string | undefined {
  return KINDS.find((one) => one.title === title)?.within;
}
