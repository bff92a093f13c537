import {
  ACTS,
  type Act,
  classify,
  contextOf,
  type Features,
  featuresOf,
  firstPass,
  type Head,
  type LineModel,
  roleFeatures,
} from '@call-analytics/analysis/classifier';
import { read } from '@call-analytics/analysis/dialogue';
import type { Role } from '@call-analytics/calls';
import { kindsOf, type TaggedLine, type TrainingCall } from '../corpus.ts';
import { type Examples, fit } from './logistic.ts';

type Side = keyof typeof ACTS;

/** How much an error costs against large weights, chosen by cross-validation. */
const COST = { head: 0.5, context: 0.3, roles: 0.1 };
/** A feature is used when this many lines have it. */
const MIN_LINES = 2;
/** The rows that a head keeps: those with the largest weights. */
const MAX_ROWS = 14_000;
/** The parts of the calls for the second pass, which learns from lines that the first pass has not seen. */
const FOLDS = 5;

/** Clauses are cut as the rules cut them, because they ask who says each. */
interface SaidBy {
  role: Role;
  features: Features;
}
interface Line extends TaggedLine {
  features: Features;
}
export interface ReadCall extends TrainingCall {
  lines: readonly Line[];
  clauses: readonly SaidBy[];
}

/** Reads the features of the calls once, for many trainings. */
export function readCalls(calls: readonly TrainingCall[]): ReadCall[] {
  return calls.map((call) => {
    const features = featuresOf(call.lines);
    const clauses = read(call.transcript);
    const ofClauses = roleFeatures(clauses);
    return {
      ...call,
      lines: call.lines.map((line, index) => ({ ...line, features: features[index] as Features })),
      clauses: clauses.map(({ utterance }, index) => ({
        role: call.lines[utterance]?.role ?? 'other',
        features: ofClauses[index] as Features,
      })),
    };
  });
}

/** Calls in the words that everybody expects. Other authors avoid these words, so they count several times. */
export const USUAL = 'usual';
const USUAL_TIMES = 5;

/** Trains the model: the heads on all calls, the second pass on what heads say that were trained on other calls. */
export function train(calls: readonly ReadCall[]): LineModel {
  const heads = headsOf(calls);
  const seen = Array.from({ length: FOLDS }, (_none, fold) => {
    const others = headsOf(calls.filter((_call, index) => index % FOLDS !== fold));
    return calls.flatMap((call, index) =>
      index % FOLDS === fold
        ? [
            {
              call,
              first: firstPass(
                call.lines,
                call.lines.map(({ features }) => features),
                others,
              ),
            },
          ]
        : [],
    );
  }).flat();
  const context = (side: 'customer' | 'manager') => {
    const lines = seen.flatMap(({ call, first }) =>
      call.lines.flatMap((line, index) =>
        line.role === side
          ? Array<{ line: Line; seen: Float64Array }>(timesOf(call)).fill({
              line,
              seen: contextOf(call.lines, first, index),
            })
          : [],
      ),
    );
    const width = lines[0]?.seen.length ?? 0;
    const examples = denseExamples(
      lines.map((each) => each.seen),
      width,
    );
    const weights = new Float32Array(ACTS[side].length * (width + 1));
    for (const [at, act] of ACTS[side].entries())
      weights.set(
        fit(
          examples,
          wantedOf(
            lines.map((each) => each.line),
            act,
          ),
          COST.context,
        ),
        at * (width + 1),
      );
    return weights;
  };
  return { heads, contexts: { customer: context('customer'), manager: context('manager') }, roles: rolesOf(calls) };
}

/** Who says a clause is learned from the calls in which somebody speaks for a company to somebody else. */
function rolesOf(calls: readonly ReadCall[]): Head {
  const said = calls
    .filter(({ truth }) => truth.kind === 'sales' || truth.kind === 'service')
    .flatMap(({ clauses }) => clauses.filter(({ role }) => role !== 'other'));
  return headOf(
    said.map(({ features }) => features),
    [Int8Array.from(said, ({ role }) => (role === 'manager' ? 1 : -1))],
    { cost: COST.roles },
  );
}

export function timesOf({ author }: ReadCall): number {
  return author === USUAL ? USUAL_TIMES : 1;
}

function headsOf(calls: readonly ReadCall[]): LineModel['heads'] {
  const lines = calls.flatMap((call) => Array<typeof call.lines>(timesOf(call)).fill(call.lines).flat());
  const trained = (side: Side, of: readonly Line[]) =>
    headOf(
      of.map(({ features }) => features),
      ACTS[side].map((act) => wantedOf(of, act)),
    );
  const by = (role: string) => lines.filter((line) => line.role === role);
  const objections = by('customer').filter(({ tags }) => kindsOf(tags, 'obj').length > 0);
  return {
    customer: trained('customer', by('customer')),
    manager: trained('manager', by('manager')),
    kind: trained('kind', objections),
  };
}

/**
 * Trains a head.
 * @param wanted for each answer, whether it is right for each row: 1, -1, or 0 where the row is left out
 * @param least rows that have a feature, for it to be used
 */
export function headOf(
  rows: readonly Features[],
  wanted: readonly Int8Array[],
  { least = MIN_LINES, cost = COST.head } = {},
): Head {
  const counts = new Map<number, number>();
  for (const { keys } of rows) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const used = [...counts]
    .filter(([, count]) => count >= least)
    .map(([key]) => key)
    .sort((a, b) => a - b);
  const examples = sparseExamples(rows, used);
  const fitted = wanted.map((each) => fit(examples, each, cost));
  const size = (column: number) => Math.max(...fitted.map((weights) => Math.abs(weights[column] ?? 0)));
  const kept = used
    .map((_key, column) => ({ column, size: size(column) }))
    .sort((a, b) => b.size - a.size || a.column - b.column)
    .slice(0, MAX_ROWS)
    .map(({ column }) => column)
    .sort((a, b) => a - b);
  const scales = Float32Array.from(
    fitted,
    (weights) => Math.max(1e-9, ...kept.map((column) => Math.abs(weights[column] ?? 0))) / 127,
  );
  const weights = new Int8Array(kept.length * fitted.length);
  kept.forEach((column, row) => {
    fitted.forEach((own, act) => {
      weights[row * fitted.length + act] = Math.round((own[column] ?? 0) / (scales[act] ?? 1));
    });
  });
  return {
    keys: Uint32Array.from(kept, (column) => used[column] ?? 0),
    weights,
    scales,
    biases: Float32Array.from(fitted, (own) => own.at(-1) ?? 0),
  };
}

/** 1 where the line does it, -1 where it does not, 0 where coaches would argue. */
function wantedOf(lines: readonly TaggedLine[], act: Act): Int8Array {
  return Int8Array.from(lines, ({ tags }) => (does(tags, act) ? 1 : tags.has('?') ? 0 : -1));
}

/** @returns whether the tags of a line say that this is done in it */
export function does(tags: ReadonlySet<string>, act: Act): boolean {
  if (act === 'objection') return kindsOf(tags, 'obj').length > 0;
  if (act === 'mistake') return kindsOf(tags, 'm').length > 0;
  return tags.has(act.replace('objection.', 'obj:').replace('mistake.', 'm:'));
}

function sparseExamples(rows: readonly Features[], used: readonly number[]): Examples {
  const columnOf = new Map(used.map((key, column) => [key, column]));
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const { keys, values: own } of rows) {
    keys.forEach((key, at) => {
      const column = columnOf.get(key);
      if (column === undefined) return;
      columns.push(column);
      values.push(own[at] ?? 0);
    });
    starts.push(columns.length);
  }
  return {
    starts: Uint32Array.from(starts),
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values),
    width: used.length,
  };
}

export function denseExamples(rows: readonly Float64Array[], width: number): Examples {
  return {
    starts: Uint32Array.from({ length: rows.length + 1 }, (_none, row) => row * width),
    columns: Uint32Array.from({ length: rows.length * width }, (_none, at) => at % width),
    values: Float32Array.from(
      { length: rows.length * width },
      (_none, at) => rows[Math.floor(at / width)]?.[at % width] ?? 0,
    ),
    width,
  };
}

export interface Judged {
  probability: number;
  truly: boolean;
}

/** Judges each call by a model that was trained without its author. @returns the acts of all lines, without those that coaches would argue about */
export function judge(calls: readonly ReadCall[], modelOf: (author: string) => LineModel): Map<Act, Judged[]> {
  const judged = new Map<Act, Judged[]>();
  for (const { author, lines } of calls) {
    const found = classify(lines, modelOf(author));
    lines.forEach(({ role, tags }, index) => {
      if (role === 'other') return;
      for (const act of role === 'customer' ? [...ACTS.customer, ...ACTS.kind] : ACTS.manager) {
        const truly = does(tags, act);
        if (!truly && tags.has('?')) continue;
        const list = judged.get(act) ?? [];
        list.push({ probability: found.probability(index, act), truly });
        judged.set(act, list);
      }
    });
  }
  return judged;
}
