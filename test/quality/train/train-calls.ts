import {
  type CallModel,
  callFeatures,
  factsOf,
  judgeCall,
  QUESTIONS,
  type Question,
} from '@call-analytics/analysis/call-model';
import { type Classified, type Head, scoresOf } from '@call-analytics/analysis/classifier';
import { transcriptOf, writtenDialogues } from '../../../services/analysis/src/rules/dialogues.fixture.ts';
import { writtenCalls } from '../calls.ts';
import type { TrainingCall } from '../corpus.ts';
import { fit } from './logistic.ts';
import { denseExamples, headOf, type ReadCall } from './train.ts';

/** A call with what a model that has not seen its author says is done in its lines. */
export interface Heard extends ReadCall {
  acts: Classified;
}

/** Calls without tags on their lines: the tuning calls, and the dialogues that the tests of the rules read. */
export function untaggedCalls(): TrainingCall[] {
  const tuning = writtenCalls('tuning').filter(({ truth }) => truth.language === 'en');
  const dialogues = writtenDialogues().map(({ name, turns, expected }) => ({
    author: 'dialogues',
    name,
    transcript: transcriptOf({ turns }, 'channels'),
    truth: { kind: expected.kind, saleStatus: expected.status } as TrainingCall['truth'],
    lines: turns.map(({ role, text }) => ({ role, text, tags: new Set<string>() })),
  }));
  return [
    ...tuning.map((call) => ({
      ...call,
      author: 'tuning',
      lines: call.transcript.utterances.map(({ speaker, text }, line) => ({
        role: (Array.isArray(call.truth.roles) ? call.truth.roles[line] : call.truth.roles[String(speaker)]) ?? 'other',
        text,
        tags: new Set<string>(),
      })),
    })),
    ...dialogues,
  ];
}

/** How much an error costs against large weights, and how many calls must have a feature. Chosen by cross-validation. */
const OPTIONS = { kind: { cost: 1, least: 3 }, status: { cost: 1, least: 3 } };
const FACTS_COST = { kind: 0.3, status: 1 };

/** Calls of other kinds have no sale. */
const counts = (question: Question, call: ReadCall) => question === 'kind' || call.truth.kind === 'sales';
const truthOf = (question: Question, { truth }: ReadCall): string =>
  question === 'kind' ? truth.kind : truth.saleStatus;

/** Trains the model: the heads on all calls, the second pass on what heads say that have not seen the author. */
export function trainCalls(calls: readonly Heard[]): CallModel {
  return { kind: partOf('kind', calls), status: partOf('status', calls) };
}

/** Most written calls are long, so the kind is also learned from their opening and a third of the rest. */
function shortened(call: Heard, index: number): Heard {
  const from = OPENING + Math.floor(((index % 3) * (call.lines.length - OPENING)) / 3);
  const kept = [...call.lines.keys()].filter(
    (line) => line < OPENING || (line >= from && line < from + (call.lines.length - OPENING) / 3),
  );
  const acts: Classified = { probability: (line, act) => call.acts.probability(kept[line] ?? -1, act) };
  return { ...call, lines: kept.map((line) => call.lines[line] as Heard['lines'][number]), acts };
}
const OPENING = 3;

function partOf(question: Question, all: readonly Heard[]): CallModel[Question] {
  const whole = all.filter((call) => counts(question, call));
  const calls = question === 'kind' ? [...whole, ...whole.map(shortened)] : whole;
  const authors = [...new Set(calls.map(({ author }) => author))];
  const rows = authors.flatMap((author) => {
    const others = wordsHead(
      question,
      calls.filter((call) => call.author !== author),
    );
    return calls
      .filter((call) => call.author === author)
      .map((call) => ({
        call,
        facts: factsOf(question, call.lines, call.acts, scoresOf(callFeatures(question, call.lines), others)),
      }));
  });
  const width = rows[0]?.facts.length ?? 0;
  const examples = denseExamples(
    rows.map(({ facts }) => facts),
    width,
  );
  const answers = QUESTIONS[question];
  const facts = new Float32Array(answers.length * (width + 1));
  answers.forEach((answer, at) => {
    const wanted = Int8Array.from(rows, ({ call }) => (truthOf(question, call) === answer ? 1 : -1));
    facts.set(fit(examples, wanted, FACTS_COST[question]), at * (width + 1));
  });
  return { head: wordsHead(question, calls), facts };
}

function wordsHead(question: Question, calls: readonly ReadCall[]): Head {
  return headOf(
    calls.map(({ lines }) => callFeatures(question, lines)),
    QUESTIONS[question].map((answer) => Int8Array.from(calls, (call) => (truthOf(question, call) === answer ? 1 : -1))),
    OPTIONS[question],
  );
}

/** The answers for calls, each by a model that has not seen its author. */
export function judgeCalls(
  question: Question,
  calls: readonly Heard[],
  authors: readonly string[],
): { call: Heard; truly: string; found: number[] }[] {
  return authors.flatMap((author) => {
    const model = trainCalls(calls.filter((call) => call.author !== author));
    return calls
      .filter((call) => call.author === author && counts(question, call))
      .map((call) => ({
        call,
        truly: truthOf(question, call),
        found: judgeCall(question, call.lines, call.acts, model),
      }));
  });
}
