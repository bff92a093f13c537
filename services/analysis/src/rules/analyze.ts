import type { Analysis, Role, Transcript } from '@call-analytics/calls';
import { LANGUAGE_NOT_SUPPORTED, NO_SPEECH, nothingToJudge } from '../call/not-scored.ts';
import { numbersOf } from '../call/numbers.ts';
import type { Labelled, Observations } from '../call/observations.ts';
import { positivesByChecks, reportOf } from '../call/report.ts';
import { RULES_ENGINE } from './analyst.ts';
import { callKindOf } from './call-kind.ts';
import { read } from './clauses.ts';
import { type Dialogue, dialogueOf } from './dialogue.ts';
import { checksOf, discoveryQuestions, mistakesOf, objectionsOf } from './findings.ts';
import { nextStepOf } from './next-step.ts';
import { outcomeOf } from './outcome.ts';
import { wordsOf } from './patterns.ts';
import { productOf } from './product.ts';
import { assignRoles } from './roles.ts';
import { summaryOf } from './summary.ts';

/**
 * Analyzes a call by rules: offline, deterministic, English, in time proportional to the text. It throws for no text.
 * A call in another language gets no score, and the reason.
 */
export function analyzeByRules(transcript: Transcript): Analysis {
  if (!transcript.utterances.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))
    return nothingToJudge(transcript, RULES_ENGINE, NO_SPEECH);
  if (!isEnglish(transcript)) return nothingToJudge(transcript, RULES_ENGINE, LANGUAGE_NOT_SUPPORTED);
  const clauses = read(transcript);
  const { roles, lineOf, ...labelled } = assignRoles(transcript, clauses);
  const dialogue = dialogueOf(transcript, clauses, { roles, lineOf, ...labelled });
  return observe(transcript, labelled, dialogue);
}

function observe(transcript: Transcript, labelled: Labelled, dialogue: Dialogue): Analysis {
  const questions: Record<Role, number> = { manager: 0, customer: 0, other: 0 };
  dialogue.clauses.forEach(({ question }, index) => {
    if (question) questions[dialogue.roles[index] ?? 'other'] += 1;
  });
  const numbers = numbersOf(transcript, labelled.lines, questions);
  const product = productOf(dialogue);
  const checks = checksOf(dialogue, product);
  const agreed = nextStepOf(dialogue);
  const outcome = outcomeOf(dialogue, agreed);
  // A customer who declined has not agreed to a step, whatever was offered before.
  const nextStep = outcome.status === 'not_sold' ? null : (agreed?.step ?? null);
  const saleStatus = outcome.status;
  const kind = callKindOf(dialogue);
  const observed: Omit<Observations, 'summary'> = {
    kind,
    product,
    customerIntent: intentOf(dialogue),
    saleStatus,
    outcome: outcome.evidence,
    nextStep,
    checks,
    objections: objectionsOf(dialogue),
    mistakes: mistakesOf(dialogue, numbers, { checks, nextStep, saleStatus }),
    positives: [...positivesByChecks(checks), ...first(dialogue, 'mood.pleased', 'The customer is pleased.')],
    issues: [
      ...first(dialogue, 'mood.unhappy', 'The customer is unhappy.'),
      ...first(dialogue, 'mood.bad_line', 'The line was bad.'),
    ],
    recommendations: [],
  };
  const observations =
    kind.kind === 'sales' ? { ...observed, summary: summaryOf(dialogue, observed, agreed) } : ofAnotherKind(observed);
  return reportOf(transcript, labelled, numbers, observations, RULES_ENGINE, transcript.language ?? 'en');
}

/** The cues for roles, wishes and steps are those of sales calls, so other calls get only their kind and its quote. */
function ofAnotherKind(observed: Omit<Observations, 'summary'>): Observations {
  const quote = observed.kind.evidence?.quote;
  const summary = quote === undefined ? '' : `The words that show it: “${quote}”`;
  return { ...observed, customerIntent: null, nextStep: null, issues: [], summary };
}

const GOAL = 2.5;
/** What customers say of themselves before anyone has asked about their situation is why they call. */
const OPENING = { words: 6, weight: 1.1, within: 10 };
/** More than a question about a price or a date, which is seldom what someone calls for. */
const LEAST_WISH = 1.1;
const OF_ONESELF: ReadonlySet<string> = new Set(['i', 'we', 'my', 'our']);
/** "I have ten minutes" is about the call itself. */
const TIME: ReadonlySet<string> = new Set(['minute', 'minutes']);
/** Needs come early; late in a call "I would like" is about the next step. */
const FIRST_PART = 0.6;
/** A turn of at most this many characters is quoted whole, because the reason for a wish is often next to it. */
const WHOLE_TURN = 240;

/** The clearest statement of the customer's wish; the first of equals. */
function intentOf(dialogue: Dialogue): Observations['customerIntent'] {
  let best = { weight: 0, index: -1 };
  const asked = discoveryQuestions(dialogue)[0] ?? dialogue.clauses.length;
  for (const [index, { words }] of dialogue.clauses.entries()) {
    if (dialogue.roles[index] !== 'customer' || dialogue.has(index, 'objection.need')) continue;
    const early = index < Math.min(asked, OPENING.within) && words.length >= OPENING.words;
    const opens = early && words.some(({ text }) => OF_ONESELF.has(text)) && !words.some(({ text }) => TIME.has(text));
    const said = Math.max(opens ? OPENING.weight : 0, answersGoal(dialogue, index) ? GOAL : 0, wished(dialogue, index));
    const weight = index < dialogue.clauses.length * FIRST_PART ? said : said / 3;
    if (weight > best.weight) best = { weight, index };
  }
  if (best.weight < LEAST_WISH) return null;
  const sentence = dialogue.evidence(best.index);
  const turn = dialogue.lines[sentence.line]?.text.trim() ?? '';
  const evidence = turn.length <= WHOLE_TURN ? { ...sentence, quote: turn } : sentence;
  return { text: `“${evidence.quote}”`, evidence };
}

/** The weight of the intent cues; a question is more likely a detail than the wish. */
function wished(dialogue: Dialogue, index: number): number {
  return dialogue.weight(index, 'intent') / (dialogue.clauses[index]?.question ? 2 : 1);
}

/** The answer to a question about the goal is the wish. */
function answersGoal(dialogue: Dialogue, index: number): boolean {
  const before = dialogue.clauses[index - 1];
  return before !== undefined && dialogue.roles[index - 1] === 'manager' && dialogue.has(index - 1, 'question.goal');
}

function first(dialogue: Dialogue, cue: string, text: string): Observations['issues'] {
  const index = dialogue.find(cue)[0];
  return index === undefined ? [] : [{ text, evidence: dialogue.evidence(index) }];
}

/** The most common words of spoken English: about half of an English conversation, and rare in other languages. */
const COMMON = new Set(
  `the a an i you we he she it they is are was were am be have has had do does did not and or but so to of in on at
  for with that this what how when yes no okay thank thanks hello hi my your our can will would just like know if
  about me us there get got one all good right well please`
    .trim()
    .split(/\s+/),
);
const SHARE = 0.25;
/** Words that are read for this decision. */
const SAMPLE = 2_000;

/** Decides by the words, because some speech engines report "en" without detection. */
export function isEnglish(transcript: Transcript): boolean {
  const sample: string[] = [];
  for (const { text } of transcript.utterances) {
    if (sample.length > SAMPLE) break;
    for (const word of wordsOf(text.slice(0, 20_000))) sample.push(word.text);
  }
  if (sample.length === 0) return false;
  const common = sample.filter((word) => COMMON.has(word)).length / sample.length;
  const said = transcript.language?.toLowerCase().split('-')[0];
  // Few words prove little, so the language of the speech engine decides.
  if (sample.length < 10) return said === undefined ? common >= SHARE : said === 'en';
  return common >= SHARE;
}
