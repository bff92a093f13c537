import { type CallModel, callFeatures, factsOf, QUESTIONS, type Question } from '@call-analytics/analysis/call-model';
import { dot, type Head, scoresOf } from '@call-analytics/analysis/classifier';
import type { Heard } from '@call-analytics/analysis/rules';
import { transcriptOf, writtenDialogues } from '../../../services/analysis/src/rules/dialogues.fixture.ts';
import { type TrainingCall, writtenCalls } from '../corpus.ts';
import { fit } from './logistic.ts';
import { denseExamples, headOf } from './train.ts';

/** A call with what a model that has not seen its author says is done in it. */
export interface HeardCall extends Pick<TrainingCall, 'author' | 'truth'> {
  heard: Heard;
}

/** Calls whose lines are not tagged: the tuning calls, and the dialogues that the tests of the rules read. */
export function untaggedCalls(): Pick<TrainingCall, 'author' | 'transcript' | 'truth'>[] {
  const tuning = writtenCalls('tuning').filter(({ truth }) => truth.language === 'en');
  const dialogues = writtenDialogues().map(({ turns, expected }) => ({
    author: 'dialogues',
    transcript: transcriptOf({ turns }, 'channels'),
    truth: { kind: expected.kind, saleStatus: expected.status } as TrainingCall['truth'],
  }));
  return [...tuning.map((call) => ({ ...call, author: 'tuning' })), ...dialogues];
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
  const answers = QUESTIONS[question];
  const weights = answers.map((answer, at) => weightsOf(question, answer, at, rows));
  return { head: wordsHead(question, calls), facts: Float32Array.from(weights.flat()) };
}

interface Row {
  call: HeardCall;
  /** What the words say for each answer, and what is done in the lines. */
  facts: Float64Array;
}

/**
 * The weights of an answer: its words and its lines say as much as each other, each measured in its own spread over calls
 * by authors that were not seen. Learning how much each says was worse (decision 0020).
 */
function weightsOf(question: Question, answer: string, at: number, rows: readonly Row[]): number[] {
  const words = QUESTIONS[question].length;
  const done = rows.map(({ facts }) => facts.subarray(words));
  const width = done[0]?.length ?? 0;
  const wanted = Int8Array.from(rows, ({ call }) => (truthOf(question, call) === answer ? 1 : -1));
  const learn = (from: readonly number[]) =>
    fit(
      denseExamples(
        from.map((row) => done[row] as Float64Array),
        width,
      ),
      wantedOf(from, wanted),
      FACTS_COST[question],
    );
  const all = [...rows.keys()];
  const byLines = new Float64Array(rows.length);
  for (const of of Map.groupBy(all, (row) => rows[row]?.call.author).values()) {
    const unseen = new Set(of);
    const learned = Float32Array.from(learn(all.filter((row) => !unseen.has(row))));
    for (const row of of) byLines[row] = dot(learned, 0, done[row] as Float64Array);
  }
  const byWords = Float64Array.from(rows, ({ facts }) => facts[at] ?? 0);
  const [ofWords, ofLines] = [1 / spread(byWords), 1 / spread(byLines)];
  const both = all.map((row) => [(byWords[row] ?? 0) * ofWords + (byLines[row] ?? 0) * ofLines]);
  const [slope = 0, bias = 0] = fit(
    denseExamples(
      both.map((value) => Float64Array.from(value)),
      1,
    ),
    wanted,
    1,
  );
  const lines = learn(all);
  return [
    ...QUESTIONS[question].map((_answer, other) => (other === at ? slope * ofWords : 0)),
    ...lines.subarray(0, width).map((weight) => slope * ofLines * weight),
    bias + slope * ofLines * (lines[width] ?? 0),
  ];
}

const wantedOf = (from: readonly number[], wanted: Int8Array) => Int8Array.from(from, (row) => wanted[row] ?? 0);

function spread(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
}

function wordsHead(question: Question, calls: readonly HeardCall[]): Head {
  return headOf(
    calls.map(({ heard }) => callFeatures(question, heard.pieces)),
    QUESTIONS[question].map((answer) => Int8Array.from(calls, (call) => (truthOf(question, call) === answer ? 1 : -1))),
    OPTIONS[question],
  );
}
