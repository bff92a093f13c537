import type { Analysis, Role, Transcript } from '@call-analytics/calls';
import { LANGUAGE_NOT_SUPPORTED, NO_SPEECH, nothingToJudge } from '../call/not-scored.ts';
import { numbersOf } from '../call/numbers.ts';
import type { Labelled, Observations } from '../call/observations.ts';
import { positivesByChecks, reportOf } from '../call/report.ts';
import { RULES_ENGINE } from './analyst.ts';
import { callKindOf } from './call-kind.ts';
import { read } from './clauses.ts';
import { type Dialogue, dialogueOf } from './dialogue.ts';
import { checksOf, mistakesOf, objectionsOf } from './findings.ts';
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

/** The first thing customers say about themselves is often why they call. It weighs less than a wish. */
const FIRST_SENTENCE = { words: 6, weight: 1.1, within: 10 };
const GREETINGS = new Set(['hi', 'hello', 'yes', 'good', 'thanks', 'thank', 'okay', 'oh']);
const ANSWER = { goal: 2.5, situation: 1.05 };
/** Needs come early; late in a call "I would like" is about the next step. */
const FIRST_PART = 0.6;
/** A turn of at most this many characters is quoted whole, because the reason for a wish is often next to it. */
const WHOLE_TURN = 240;

/** The clearest statement of the customer's wish; the first of equals. */
function intentOf(dialogue: Dialogue): Observations['customerIntent'] {
  let best = { weight: 0, index: -1 };
  for (const [index, clause] of dialogue.clauses.entries()) {
    if (dialogue.roles[index] !== 'customer' || dialogue.has(index, 'objection.need')) continue;
    const ofThemselves = clause.words.some(
      ({ text }) => text === 'i' || text === 'we' || text === 'my' || text === 'our',
    );
    const early = index < FIRST_SENTENCE.within && clause.words.length >= FIRST_SENTENCE.words && ofThemselves;
    // "I have ten minutes" is about the call itself.
    const aboutTime = clause.words.some(({ text }) => text === 'minutes' || text === 'minute');
    const greets = GREETINGS.has(clause.words[0]?.text ?? '') && clause.words.length < FIRST_SENTENCE.words + 2;
    const said = Math.max(
      early && !greets && !aboutTime ? FIRST_SENTENCE.weight : 0,
      answers(dialogue, index),
      wished(dialogue, index),
    );
    const weight = index < dialogue.clauses.length * FIRST_PART ? said : said / 3;
    if (weight > best.weight) best = { weight, index };
  }
  if (best.index < 0) return null;
  const sentence = dialogue.evidence(best.index);
  const turn = dialogue.lines[sentence.line]?.text.trim() ?? '';
  const evidence = turn.length <= WHOLE_TURN ? { ...sentence, quote: turn } : sentence;
  return { text: `“${evidence.quote}”`, evidence };
}

/** The weight of the intent cues; a question is more likely a detail than the wish. */
function wished(dialogue: Dialogue, index: number): number {
  return dialogue.weight(index, 'intent') / (dialogue.clauses[index]?.question ? 2 : 1);
}

/** The answer to a question about the goal is the wish; the answer to one about the situation is often the trouble. */
function answers(dialogue: Dialogue, index: number): number {
  const before = dialogue.clauses[index - 1];
  if (before === undefined || dialogue.roles[index - 1] !== 'manager') return 0;
  if (dialogue.has(index - 1, 'question.goal')) return ANSWER.goal;
  const long = (dialogue.clauses[index]?.words.length ?? 0) >= FIRST_SENTENCE.words;
  return before.question && !before.cues.has('question.small') && long ? ANSWER.situation : 0;
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
