import type { Analysis, Line, NextStep, Role, Transcript } from '@call-analytics/calls';
import type { AccountScorecard } from '@call-analytics/contracts';
import { CHECK_IDS, type ObjectionKind, OUTCOMES } from '../call/catalogue.ts';
import { withinLimits } from '../call/evidence.ts';
import { countedMistakes, numbersOf } from '../call/numbers.ts';
import {
  type Evidence,
  type Labelled,
  linesOf,
  type Observations,
  rolesByPerson,
  type Span,
} from '../call/observations.ts';
import { reportOf } from '../call/report.ts';
import type { Answered } from '../call/scorecard.ts';
import { timesIn } from '../rules/days.ts';
import type { Answer } from './answer.ts';
import { type Masked, type Unmasking, unmaskingOf } from './masking.ts';
import type { HeardMistake } from './prompt.ts';
import { type Drops, type ListOfTexts, Proofs, type Prove } from './proofs.ts';
import { scorecardAnswers, withinSentences } from './scorecard.ts';

type Proven = { text: string; evidence: Evidence };

/** What the answers say and the transcript proves. */
export interface Findings {
  labelled: Labelled;
  lineOf: number[];
  unmasking: Unmasking;
  language: string | null;
  observed: Omit<Observations, 'summary' | 'recommendations' | 'mistakes' | 'objections'> & {
    objections: (Observations['objections'][number] & { kind: ObjectionKind })[];
    mistakes: (Proven & { kind: HeardMistake })[];
    summary: Proven[];
    recommendations: Proven[];
  };
  /** The account's scorecard and its answers, where the call is judged by one. */
  judgment: { scorecard: AccountScorecard; answers: Answered[] } | undefined;
  drops: Drops;
}

/**
 * Keeps what the transcript proves: a finding needs its quote, said by the right person. All texts and lines are those
 * of the masked call.
 * @param call as it was said; `spans` are of the masked call
 * @param answers one for each window of the call, in order
 */
export function findingsIn(
  call: Transcript,
  masking: Masked,
  spans: readonly Span[],
  answers: readonly Answer[],
  scorecard?: AccountScorecard,
): Findings {
  const { transcript } = masking;
  const { given, toldApart } = rolesOf(transcript, spans, answers);
  const roles = given.map((role): Role => role ?? 'other');
  const { lines, lineOf } = linesOf(transcript, spans, roles);
  const unmasking = unmaskingOf(call, masking, spans, { lines, lineOf });
  const proofs = new Proofs(answers, lines, lineOf);
  const proven: Prove = (said, by) => proofs.proven(said, by);
  const first: Proofs['first'] = (of, prove) => proofs.first(of, prove);
  const kept: Proofs['kept'] = (name, by, of) => proofs.kept(name, by, of);
  const texts = (name: ListOfTexts) => kept(name, undefined, ({ text }) => ({ text }));

  const kind = kindOf(answers, given);
  const outcome = provenOutcome(answers, proven, lines);
  const observed: Findings['observed'] = {
    kind: { kind, evidence: first(({ call_kind }) => (call_kind.kind === kind ? call_kind.evidence : null), proven) },
    product: first(
      ({ product }) => product,
      (product) => (proven(product) !== null && contains(product.quote, product.name) ? product.name.trim() : null),
    ),
    customerIntent: first(
      ({ customer_intent }) => customer_intent,
      (intent) => {
        const evidence = proven(intent, 'customer');
        return evidence === null ? null : { text: intent.text, evidence };
      },
    ),
    ...outcome,
    nextStep: nextStepOf(answers, proven, unmasking, transcript.date ?? null),
    checks: Object.fromEntries(
      CHECK_IDS.map((id) => [
        id,
        first(
          ({ checks }) => checks[id],
          (said) => proven(said, 'manager'),
        ),
      ]),
    ) as Observations['checks'],
    missing: [
      ...CHECK_IDS.filter((id) => answers.every(({ checks }) => checks[id] === null)),
      ...(answers.every(({ questions }) => questions.length === 0) ? (['question'] as const) : []),
      ...(answers.every(({ next_steps }) => next_steps.length === 0) ? (['next_step'] as const) : []),
    ],
    questions: kept('questions', 'manager', () => ({})).map(({ evidence }) => evidence),
    customerQuestions: kept('customer_questions', 'customer', ({ answer }) => ({
      answer: proven(answer, 'manager'),
    })).sort((one, other) => one.evidence.line - other.evidence.line),
    objections: kept('objections', 'customer', ({ kind, text, answer }) => ({
      kind,
      text,
      answer: proven(answer, 'manager'),
      unanswered: answer === null,
    })),
    mistakes: kept('mistakes', 'manager', ({ kind, text }) => ({ kind, text })),
    positives: texts('positives'),
    issues: texts('issues'),
    summary: texts('summary'),
    recommendations: texts('recommendations'),
  };
  const unproven = () => proofs.drop('unproven');
  const judgment = scorecard && { scorecard, answers: scorecardAnswers(scorecard, answers, proven, unproven) };
  const toldBy = transcript.speakersBy === 'channels' ? 'channels' : 'speakers';
  const rolesBy = transcript.roles !== undefined ? 'person' : toldApart ? toldBy : 'sentences';
  const named = given.filter((role) => role !== null).length / spans.length;
  const sure = confidenceOf(proofs.speakers, named * (transcript.speakersConfidence ?? 1), toldApart);
  const rolesConfidence = rolesBy === 'person' ? 1 : sure;
  const language = answers.map((answer) => languageTag(answer.language)).find((tag) => tag !== null) ?? null;
  const { drops } = proofs;
  return { labelled: { lines, rolesBy, rolesConfidence }, lineOf, unmasking, language, observed, judgment, drops };
}

/**
 * Makes the analysis: the words of the call instead of the masked ones, the limits of one sentence, the mistakes that
 * code counts, the score and the report.
 * @param scorecard in the words of its account
 */
export function analysisFrom(
  transcript: Transcript,
  { labelled, lineOf, unmasking, language, ...found }: Findings,
  engine: Analysis['engine'],
  scorecard?: AccountScorecard,
): Analysis {
  const { lines, spans } = unmasking;
  const [observed, answers] = [unmasking.unmask(found.observed), unmasking.unmask(found.judgment?.answers ?? [])];
  const numbers = numbersOf(transcript, lines);
  const sentenceOf = sentencesOf(spans, lineOf);
  const limited = withinLimits(observed, sentenceOf);
  const said = observed.mistakes;
  const observations: Observations = {
    ...limited,
    mistakes: [...said, ...countedMistakes(lines, numbers, said, limited)],
    summary: observed.summary.map(({ text }) => text.trim()).join(' ') || OUTCOMES[observed.saleStatus],
    recommendations: observed.recommendations.map(({ text }) => text.trim()),
  };
  const judgment = scorecard && { scorecard, answers: withinSentences(answers, sentenceOf) };
  const roles = { ...labelled, lines };
  return reportOf(transcript, roles, numbers, observations, engine, transcript.language ?? language, judgment);
}

/** The last window that shows a status counts. `sold` needs words of the customer, another status words of the call. */
function provenOutcome(
  answers: readonly Answer[],
  proven: Prove,
  lines: readonly Line[],
): Pick<Observations, 'saleStatus' | 'outcome'> {
  for (const { outcome } of answers.toReversed()) {
    if (outcome.status === 'unclear') continue;
    const evidence = proven(outcome.evidence, outcome.status === 'sold' ? 'customer' : undefined);
    if (evidence !== null && lines[evidence.line] !== undefined)
      return { saleStatus: outcome.status, outcome: evidence };
  }
  return { saleStatus: 'unclear', outcome: null };
}

/** The steps of the last window that has any, each with its own time. */
function nextStepOf(
  answers: readonly Answer[],
  proven: Prove,
  unmasking: Unmasking,
  date: string | null,
): Observations['nextStep'] {
  for (const { next_steps } of answers.toReversed()) {
    const steps = next_steps.flatMap((step): NextStep[] => {
      const evidence = proven(step);
      if (evidence === null) return [];
      const time = step.when !== null && contains(step.when.quote, step.when.words) ? proven(step.when) : null;
      const when = step.when === null || time === null ? null : unmasking.words(step.when.words.trim(), time.line);
      return [{ what: step.text.trim(), when, day: dayOf(when, date), who: step.who, ...evidence }];
    });
    if (steps.length > 0) return joinedSteps(steps);
  }
  return null;
}

/** The day that English words of time fix; null in other languages, and where they name several days. */
function dayOf(when: string | null, date: string | null): string | null {
  const days = new Set(timesIn(when ?? '', date).flatMap(({ names, day }) => (names ? [day] : [])));
  const [day = null] = days;
  return days.size === 1 ? day : null;
}

/** @returns the steps as the next step of a call; null without any */
export function joinedSteps(steps: NextStep[]): Observations['nextStep'] {
  const [first] = steps;
  if (first === undefined) return null;
  const times = [...new Set(steps.flatMap(({ when }) => when ?? []))];
  return {
    text: steps.map(({ what }) => what).join('; '),
    when: times.length === 0 ? null : times.join('; '),
    evidence: { quote: first.quote, line: first.line },
    steps,
  };
}

/** A call in which nobody sells or buys is a service call, whatever else was answered. */
function kindOf(answers: readonly Answer[], given: readonly (Role | null)[]): Observations['kind']['kind'] {
  const kinds = answers.map(({ call_kind }) => call_kind.kind);
  const most = kinds.includes('sales')
    ? 'sales'
    : (kinds.toSorted((a, b) => kinds.filter((k) => k === b).length - kinds.filter((k) => k === a).length)[0] ??
      'other');
  const named = given.filter((role) => role !== null);
  return most === 'sales' && named.length > 0 && named.every((role) => role === 'other') ? 'service' : most;
}

function rolesOf(
  transcript: Transcript,
  spans: readonly Span[],
  answers: readonly Answer[],
): { given: (Role | null)[]; toldApart: boolean } {
  const byPerson = rolesByPerson(transcript);
  if (byPerson !== null) return { given: spans.map(({ speaker }) => byPerson(speaker)), toldApart: true };
  const toldApart = spans.some(({ speaker }) => speaker !== null);
  if (!toldApart) {
    const given: (Role | null)[] = spans.map(() => null);
    for (const { from, to, role } of answers.flatMap(({ turns }) => turns)) {
      for (let index = from; index <= Math.min(to, spans.length - 1); index += 1) given[index] = role;
    }
    return { given, toldApart };
  }
  const votes = Map.groupBy(
    answers.flatMap(({ speakers }) => speakers),
    ({ speaker }) => speaker - 1,
  );
  const roles = new Map(
    [...votes].map(([speaker, said]) => {
      const times = (role: Role) => said.filter((vote) => vote.role === role).length;
      return [speaker, said.map(({ role }) => role).reduce((best, role) => (times(role) > times(best) ? role : best))];
    }),
  );
  return { given: spans.map(({ speaker }) => (speaker === null ? null : (roles.get(speaker) ?? null))), toldApart };
}

/** Unlabelled sentences are never surer than this. */
const MAX_SENTENCE_CONFIDENCE = 0.85;

/**
 * How sure the roles are: the share of quotes whose speaker has the role that the finding needs, with two more assumed
 * to agree beforehand, times the share of lines that got a role. @returns 0 to 1
 */
function confidenceOf({ right, wrong }: { right: number; wrong: number }, named: number, toldApart: boolean): number {
  const agreement = (right + 2) / (right + wrong + 2.5);
  return Math.round(100 * named * Math.min(agreement, toldApart ? 1 : MAX_SENTENCE_CONFIDENCE)) / 100;
}

/** @returns whether a quote holds the words, in any letter case */
function contains(quote: string, words: string): boolean {
  const plain = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  return plain(words).trim() !== '' && plain(quote).includes(plain(words));
}

/** Names the first numbered sentence that contains a quote. */
function sentencesOf(spans: readonly Span[], lineOf: readonly number[]): (evidence: Evidence) => string {
  const ofLine = Map.groupBy(spans.keys(), (index) => lineOf[index] ?? -1);
  return ({ quote, line }) => {
    const own = ofLine.get(line) ?? [];
    const holds = (text: string) => text.includes(quote) || quote.startsWith(text);
    return String(own.find((index) => holds(spans[index]?.text ?? '')) ?? own[0] ?? `line ${line}`);
  };
}

function languageTag(tag: string): string | null {
  return /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/.test(tag) ? tag : null;
}
