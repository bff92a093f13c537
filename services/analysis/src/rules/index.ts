import type { Analysis, Role, Transcript } from '@call-analytics/calls';
import { LANGUAGE_NOT_SUPPORTED, NO_SPEECH } from '../call/not-scored.ts';
import { nothingToJudge } from '../call/nothing.ts';
import { numbersOf } from '../call/numbers.ts';
import type { Labelled, Observations } from '../call/observations.ts';
import { positivesByChecks, reportOf } from '../call/report.ts';
import { RULES_ENGINE } from './analyst.ts';
import { callKindOf } from './call-kind.ts';
import { checksOf } from './craft.ts';
import { type Dialogue, dialogueOf } from './dialogue.ts';
import { isEnglish } from './language.ts';
import { mistakesOf } from './mistakes.ts';
import { nextStepOf } from './next-step.ts';
import { objectionsOf } from './objections.ts';
import { outcomeOf } from './outcome.ts';
import { productOf } from './product.ts';
import { read } from './reading.ts';
import { assignRoles } from './roles.ts';
import { summaryOf } from './summary.ts';

/**
 * Analyzes a call by rules alone: offline, deterministic, English, in time proportional to the text. Never throws for any text.
 * A call in another language comes back without a score and says why.
 */
export function analyseByRules(transcript: Transcript): Analysis {
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
  // A customer who wants no more contact has not agreed to a step, whatever was offered before.
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

/** Roles, wishes and steps are read by what is said in sales calls; of other calls the rules say only how they know the kind. */
function ofAnotherKind(observed: Omit<Observations, 'summary'>): Observations {
  const quote = observed.kind.evidence?.quote;
  const summary = quote === undefined ? '' : `The words that show it: “${quote}”`;
  return { ...observed, customerIntent: null, nextStep: null, issues: [], summary };
}

/** What a customer says of themselves first tends to be why they are on the phone. It weighs less than a wish, more than a question. */
const FIRST_SENTENCE = { words: 6, weight: 1.1, within: 10 };
const GREETINGS = new Set(['hi', 'hello', 'yes', 'good', 'thanks', 'thank', 'okay', 'oh']);
const ANSWER = { goal: 2.5, situation: 1.05 };
/** Needs are told early; late in a call "I would like" is about the next step. */
const FIRST_PART = 0.6;
/** A turn that is no longer than this is told whole: the reason for a wish tends to stand beside it. Characters. */
const WHOLE_TURN = 240;

/** The clearest thing a customer says about what they want; of equals the first. */
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

/** The cues of a clause; what is asked is rather a detail than the wish itself. */
function wished(dialogue: Dialogue, index: number): number {
  return dialogue.weight(index, 'intent') / (dialogue.clauses[index]?.question ? 2 : 1);
}

/** What a customer answers to a question about their situation tells their trouble; to one about their goal, their wish. */
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
