import type { Analysis, Transcript } from '@call-analytics/calls';
import type { AccountScorecard } from '@call-analytics/contracts';
import { isEnglish, LANGUAGE_NOT_SUPPORTED, NO_SPEECH, nothingToJudge } from '../call/not-scored.ts';
import { type Numbers, numbersOf } from '../call/numbers.ts';
import type { Labelled, Observations } from '../call/observations.ts';
import { positivesByChecks, reportOf, TWO_SIDED } from '../call/report.ts';
import { type Acts, actsOf } from './acts.ts';
import { RULES_ENGINE } from './analyst.ts';
import type { CallModel } from './call-model.ts';
import { checksOf, mostLikely, offeredAt, questionsOf } from './checks.ts';
import type { LineModel, Said } from './classifier.ts';
import { type Dialogue, dialogueOf, read } from './dialogue.ts';
import { customerQuestionsOf, mistakesOf, objectionsOf, ROLES_CERTAIN } from './findings.ts';
import { nextStepOf } from './next-step.ts';
import { callKindOf, outcomeOf } from './outcome.ts';
import { productOf } from './product.ts';
import { assignRoles } from './roles.ts';
import { summaryOf } from './summary.ts';

export { type Heard, heardIn, objectionFeatures } from './acts.ts';

/** Other models than those of the repository. */
export interface Models {
  lines: LineModel;
  calls: CallModel;
}

/**
 * Analyzes a call by rules: offline, deterministic, English, in time proportional to the text. A call without words or
 * in another language gets no score, and the reason.
 */
export async function analyzeByRules(
  transcript: Transcript,
  { models, scorecard }: { models?: Models | undefined; scorecard?: AccountScorecard | undefined } = {},
): Promise<Analysis> {
  const own = scorecard && { scorecard };
  if (!transcript.utterances.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))
    return nothingToJudge(transcript, RULES_ENGINE, NO_SPEECH, own);
  if (!isEnglish(transcript)) return nothingToJudge(transcript, RULES_ENGINE, LANGUAGE_NOT_SUPPORTED, own);
  const clauses = read(transcript);
  const { roles, lineOf, ...labelled } = assignRoles(transcript, clauses, models?.lines);
  const dialogue = dialogueOf(transcript, clauses, { roles, lineOf, ...labelled });
  const { observations, numbers } = observe(
    transcript,
    labelled,
    dialogue,
    await actsOf(labelled.lines, models?.lines, models?.calls.weighing),
    models?.calls,
  );
  return reportOf(transcript, labelled, numbers, observations, RULES_ENGINE, transcript.language ?? 'en', own);
}

/** The lines of a call with the roles that the rules find. Models learn from calls as they are read. */
export function linesOf(transcript: Transcript, model?: LineModel): readonly Said[] {
  return assignRoles(transcript, read(transcript), model).lines;
}

function observe(
  transcript: Transcript,
  labelled: Labelled,
  dialogue: Dialogue,
  acts: Acts,
  model: CallModel | undefined,
): { observations: Observations; numbers: Numbers } {
  const numbers = numbersOf(transcript, labelled.lines);
  const product = labelled.rolesConfidence < ROLES_CERTAIN ? null : productOf(acts);
  const found = checksOf(acts);
  const { checks } = found;
  const questions = questionsOf(acts);
  const agreed = nextStepOf(acts, transcript.date ?? null);
  const outcome = outcomeOf(dialogue, acts, agreed?.step.evidence ?? null, model);
  const { sells, hasCustomer, ...kind } = callKindOf(dialogue, acts, model);
  const isSaid = kind.kind === 'sales' || sells * outcome.likely >= STATUS;
  const saleStatus = isSaid ? outcome.status : 'unclear';
  // Without a yes or a step that the customer takes up nothing is agreed. How a service call ends is not known.
  const refused = outcome.status === 'not_sold' || (outcome.status === 'unclear' && kind.kind !== 'service');
  const nextStep = refused ? null : (agreed?.step ?? null);
  const mistakes = mistakesOf(acts, labelled, numbers, { checks, questions, nextStep, saleStatus });
  const observed: Omit<Observations, 'summary'> = {
    kind,
    product,
    customerIntent: intentOf(acts),
    saleStatus,
    outcome: outcome.evidence,
    nextStep,
    ...found,
    questions,
    offeredAt: offeredAt(acts),
    customerQuestions: customerQuestionsOf(acts, labelled),
    objections: objectionsOf(acts),
    mistakes,
    positives: [...positivesByChecks(checks), ...first(dialogue, 'mood.pleased', 'The customer is pleased.')],
    issues: [
      ...first(dialogue, 'mood.unhappy', 'The customer is unhappy.'),
      ...first(dialogue, 'mood.bad_line', 'The line was bad.'),
    ],
    recommendations: [],
  };
  const useful = {
    ...observed,
    ...(!hasCustomer && { customerIntent: null, customerQuestions: [], issues: [] }),
    // Colleagues agree on steps too: in a call of an unclear kind somebody must speak for a company or offer something.
    ...((kind.kind === null ? sells === 0 : !TWO_SIDED.has(kind.kind)) && { nextStep: null }),
  };
  const observations = { ...useful, summary: summaryOf(dialogue, useful, agreed, purposesIn(acts, hasCustomer)) };
  return { observations, numbers };
}

/** How likely it must be that a call of an unclear kind is a sales call and ended so: nine of ten are then right. */
const STATUS = 0.7;

/** How likely a wish must be: nine of ten are then right. Late in the call, "I would like" is about a step. */
const WISH = { likely: 0.6, within: 0.6 };

/** "Exactly, that is what we need" says nothing without what was said before. */
const REFERS_BACK = /\b(that|this|it)(['’]s| is| was)? (exactly )?what\b/i;

/** The clearest statement of what the customer wants. */
export function intentOf(acts: Acts): Observations['customerIntent'] {
  const places = acts
    .find('want', WISH.likely)
    .filter((piece) => piece < acts.pieces.length * WISH.within && !REFERS_BACK.test(acts.pieces[piece]?.text ?? ''));
  const best = places.reduce<number | null>(
    (most, piece) => (most === null || acts.probability(piece, 'want') > acts.probability(most, 'want') ? piece : most),
    null,
  );
  if (best === null) return null;
  const evidence = acts.evidence(best);
  return { text: `“${evidence.quote}”`, evidence };
}

/** How likely words must be those that say what a call is about. */
const PURPOSE = 0.5;

/** How likely words near the beginning must be a wish of the customer, where nothing clearer is one. */
const MAY_WISH = { likely: 0.1, within: 12 };

/** What people say a call is about: first what the customer most likely wants, then in their order. */
function purposesIn(acts: Acts, hasCustomer: boolean): string[] {
  const wishes = acts.find('want', MAY_WISH.likely).filter((piece) => hasCustomer && piece < MAY_WISH.within);
  const wish = mostLikely(acts, 'want', wishes) ?? [];
  return [wish, acts.find('purpose', PURPOSE)].flat().map((piece) => acts.evidence(piece).quote);
}

function first(dialogue: Dialogue, cue: string, text: string): Observations['issues'] {
  const index = dialogue.find(cue)[0];
  return index === undefined ? [] : [{ text, evidence: dialogue.evidence(index) }];
}
