import {
  type CallModel,
  callFeatures,
  factsOf,
  type Heard,
  QUESTIONS,
  type Question,
} from '@call-analytics/analysis/call-model';
import { type Head, scoresOf } from '@call-analytics/analysis/classifier';
import { transcriptOf, writtenDialogues } from '../../../services/analysis/src/rules/dialogues.fixture.ts';
import { writtenCalls } from '../calls.ts';
import { type TrainingCall, taggedCalls } from '../corpus.ts';
import { fit } from './logistic.ts';
import { denseExamples, headOf } from './train.ts';

/** A call with what a model that has not seen its author says is done in it. */
export interface HeardCall extends Pick<TrainingCall, 'author' | 'truth'> {
  heard: Heard;
}

/**
 * Calls whose lines are not tagged, or not all: the calls at the border of sales, the tuning calls, and the dialogues
 * that the tests of the rules read.
 */
export function untaggedCalls(): Pick<TrainingCall, 'author' | 'transcript' | 'truth'>[] {
  const tuning = writtenCalls('tuning').filter(({ truth }) => truth.language === 'en');
  const dialogues = writtenDialogues().map(({ turns, expected }) => ({
    author: 'dialogues',
    transcript: transcriptOf({ turns }, 'channels'),
    truth: { kind: expected.kind, saleStatus: expected.status } as TrainingCall['truth'],
  }));
  return [...taggedCalls('kinds'), ...tuning.map((call) => ({ ...call, author: 'tuning' })), ...dialogues];
}

/** How much an error costs against large weights, and how many calls must have a feature. Chosen by cross-validation. */
const OPTIONS = { kind: { cost: 1, least: 3 }, status: { cost: 1, least: 3 } };
const FACTS_COST = { kind: 0.3, status: 1 };

/** Calls of other kinds have no sale. */
const counts = (question: Question, call: HeardCall) => question === 'kind' || call.truth.kind === 'sales';
const truthOf = (question: Question, { truth }: HeardCall): string =>
  question === 'kind' ? truth.kind : truth.saleStatus;

/** Trains the model: the heads on all calls, the second pass on what heads say that have not seen the author. */
export function trainCalls(calls: readonly HeardCall[]): CallModel {
  return { kind: partOf('kind', calls), status: partOf('status', calls) };
}

/** Most written calls are long, so the kind is also learned from their opening and a third of the rest. */
function shortened(call: HeardCall, index: number): HeardCall {
  const { pieces, probability } = call.heard;
  const part = (pieces.length - OPENING) / 3;
  const from = OPENING + Math.floor((index % 3) * part);
  const kept = [...pieces.keys()].filter((at) => at < OPENING || (at >= from && at < from + part));
  const heard: Heard = {
    pieces: kept.flatMap((at) => pieces[at] ?? []),
    probability: (at, act) => probability(kept[at] ?? -1, act),
  };
  return { ...call, heard };
}
const OPENING = 3;

function partOf(question: Question, all: readonly HeardCall[]): CallModel[Question] {
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
        facts: factsOf(question, call.heard, scoresOf(callFeatures(question, call.heard.pieces), others)),
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

function wordsHead(question: Question, calls: readonly HeardCall[]): Head {
  return headOf(
    calls.map(({ heard }) => callFeatures(question, heard.pieces)),
    QUESTIONS[question].map((answer) => Int8Array.from(calls, (call) => (truthOf(question, call) === answer ? 1 : -1))),
    OPTIONS[question],
  );
}
