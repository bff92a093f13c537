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

/** The more telling first. */
const KINDS: readonly Kind[] = [
  kind('Demo', 'a demo', String.raw`demo|demonstrat\w+|show you|walk you (?:both )?through|walkthrough|screen`),
  kind('Trial', 'a trial', 'trial|pilot|taster|tasting|try (?:it|one|them|out)|samples?|test (?:it|one|drive|patch)'),
  kind('Lesson', 'a lesson', 'lesson|class|session|induction|workout|masterclass'),
  kind('Viewing', 'a viewing', 'viewing|show round|look round|tour|showroom|see (?:the|it|them|round|over) '),
  kind(
    'Survey',
    'a survey',
    String.raw`survey\w*|measure\w*|site visit|inspect\w*|look at (?:the|it|your)|have a look|assess\w*`,
  ),
  kind('Installation', 'the installation', String.raw`install\w*|fit (?:it|them|the)|fitt(?:er|ers|ing)|swap`),
  kind(
    'Delivery',
    'the delivery',
    String.raw`(?:re)?deliver(?:y|ed|s|ing)?|courier|van|driver|lorry|wagon|pallet|dispatch\w*|ship\w*|goes out|parcel`,
    "(?:be|is|it's|that's|(?:have|get) (?:it|them|both|them both|those|that)) (?:with|to) you",
    "drop (?:it|them|'?em) off",
  ),
  kind('Collection', 'a collection', String.raw`collect\w*|pick (?:it|them|one|that|those)? ?up`),
  kind(
    'Visit',
    'a visit',
    String.raw`visit\w*|(?:come|came) (?:out|by|over|round|to|and|in|down|up|past)`,
    'pop (?:in|by|over|round|out|down)|call in|drop (?:in|by)|swing by|be there|be round',
    'engineer|electrician|technician|plumber|crew',
  ),
  kind('Meeting', 'a meeting', String.raw`meet\w*|interview|teams|zoom|sit down|get together|coffee`),
  kind(
    'Quote',
    'a quote',
    String.raw`quot\w+|proposal|estimate|offer|figures?|prices?|pricing|rates|numbers|costs?`,
    'draw(?:n|ing)? (?:it|that|up)|in writing|on paper',
  ),
  kind(
    'Call back',
    'a call',
    'call|ring|phone|bell|shout|speak|talk|catch up|touch base|(?:come|get) back to (?:you|me)',
  ),
  kind('Invoice', 'an invoice', 'invoice'),
  kind('Payment', 'a payment', 'deposit|payment|pay|direct debit'),
  kind(
    'Contract',
    'the contract',
    'contract|paperwork|sign|docusign|agreement|forms?|documents?|policy|certificate|licen[cs]e',
  ),
  kind(
    'Information',
    'information',
    String.raw`send|sent|email\w*|whatsapp|text|link|post|brochure|leaflet|list|details|photos?|invite|invitation`,
    'pop (?:it|the|you|that)',
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
  ),
];
/** The title of a step whose kind no words name. */
export const UNTITLED = 'Agreed';

export function titleOf(text: string): string | undefined {
  const said = plainly(text);
  return KINDS.find(({ words }) => words.test(said))?.title;
}

/** How telling a title is: the lower the more. */
export function rankOf(title: string): number {
  return title === UNTITLED ? KINDS.length : KINDS.findIndex((one) => one.title === title);
}

/** "a demo"; undefined for a step whose kind no words name. */
export function withinSentence(title: string | undefined): string | undefined {
  return KINDS.find((one) => one.title === title)?.within;
}
