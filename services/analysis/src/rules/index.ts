import type { Analysis, Role, Transcript } from '@call-analytics/calls';
import { nothingToJudge } from '../call/nothing.ts';
import { numbersOf } from '../call/numbers.ts';
import type { Labelled, Observations } from '../call/observations.ts';
import { positivesByChecks, reportOf } from '../call/report.ts';
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

/** Changes with the rules, so that a stored analysis says which ones made it. */
export const RULES_ENGINE = { name: 'rules', model: 'english-1' };

/**
 * Analyses a call by rules alone: offline, deterministic, English. Never throws for any text.
 * A call in another language comes back without a score and says why.
 */
export function analyseByRules(transcript: Transcript): Analysis {
  if (!transcript.utterances.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) return nothingToJudge(transcript, RULES_ENGINE, 'no_speech');
  if (!isEnglish(transcript)) return nothingToJudge(transcript, RULES_ENGINE, 'not_english');
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
  const outcome = outcomeOf(dialogue, agreed !== null);
  // A customer who wants no more contact has not agreed to a step, whatever was offered before.
  const nextStep = outcome.status === 'not_sold' ? null : agreed;
  const saleStatus = outcome.status;
  const observations: Observations = {
    product,
    customerIntent: intentOf(dialogue),
    saleStatus,
    outcome: outcome.evidence,
    nextStep,
    checks,
    objections: objectionsOf(dialogue),
    mistakes: mistakesOf(dialogue, numbers, { checks, nextStep, saleStatus }),
    positives: [...positivesByChecks(checks), ...first(dialogue, 'mood.pleased', 'The customer is pleased.')],
    issues: [...first(dialogue, 'mood.unhappy', 'The customer is unhappy.'), ...first(dialogue, 'mood.bad_line', 'The line was bad.')],
    summary: null,
    recommendations: [],
  };
  return reportOf(transcript, labelled, numbers, observations, RULES_ENGINE, transcript.language ?? 'en');
}

/** The clearest thing a customer says about what they want; of equals the first. */
function intentOf(dialogue: Dialogue): Observations['customerIntent'] {
  let best = { weight: 0, index: -1 };
  for (const index of dialogue.clauses.keys()) {
    if (dialogue.has(index, 'outcome.refused')) continue;
    // What is asked is rather a detail than the wish itself.
    const weight = dialogue.weight(index, 'intent') / (dialogue.clauses[index]?.question ? 2 : 1);
    if (weight > best.weight) best = { weight, index };
  }
  if (best.index < 0) return null;
  const evidence = dialogue.evidence(best.index);
  return { text: `“${evidence.quote}”`, evidence };
}

function first(dialogue: Dialogue, cue: string, text: string): Observations['issues'] {
  const index = dialogue.find(cue)[0];
  return index === undefined ? [] : [{ text, evidence: dialogue.evidence(index) }];
}
