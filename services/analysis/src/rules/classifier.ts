import { readFileSync } from 'node:fs';
import { MISTAKES, type MistakeKind, OBJECTIONS, type ObjectionKind } from '../call/catalogue.ts';
import { type Features, featuresOf, roleFeatures, type Said } from './line-features.ts';

export { type Features, featuresOf, roleFeatures, type Said };

/** What a customer does in a line: `objection` is any kind of objection. */
export const CUSTOMER_ACTS = ['objection', 'refuse', 'accept', 'agree', 'question', 'want'] as const;
// biome-ignore format: one list
/** What a manager does in a line: `mistake` is any kind of mistake. */
export const MANAGER_ACTS = [
  'greet', 'intro', 'purpose', 'ask', 'decide', 'sumup', 'offer', 'benefit', 'proof', 'answer', 'step', 'close', 'end',
  'mistake',
] as const;
export const OBJECTION_KINDS = Object.keys(OBJECTIONS) as ObjectionKind[];
/** Mistakes of single lines. */
const MISTAKE_KINDS = (Object.keys(MISTAKES) as MistakeKind[]).filter((kind) => !kind.startsWith('no_'));
export type Act =
  | (typeof CUSTOMER_ACTS)[number]
  | (typeof MANAGER_ACTS)[number]
  | `objection.${ObjectionKind}`
  | `mistake.${MistakeKind}`;

/** The acts of each side, in the order of the weights. A head of its own tells the kinds of an objection apart. */
export const ACTS: Readonly<Record<(typeof SIDES)[number] | 'kind', readonly Act[]>> = {
  customer: CUSTOMER_ACTS,
  manager: [...MANAGER_ACTS, ...MISTAKE_KINDS.map((kind) => `mistake.${kind}` as const)],
  kind: OBJECTION_KINDS.map((kind) => `objection.${kind}` as const),
};

const SIDES = ['customer', 'manager'] as const;

/** Logistic regression on sparse features for several acts at once. */
export interface Head {
  /** Keys of the features, one row of weights each. */
  keys: Uint32Array;
  /** Rows of one weight for each act, in units of `scales`. */
  weights: Int8Array;
  scales: Float32Array;
  biases: Float32Array;
}

export interface LineModel {
  heads: Record<keyof typeof ACTS, Head>;
  /**
   * Logistic regression on what the heads say of a line and of its neighbors: for each act one weight for each feature
   * of `contextOf`, then the bias. Calibrated, because it is trained on calls that the heads had not seen.
   */
  contexts: Record<(typeof SIDES)[number], Float32Array>;
  /** Whether the manager says a clause, by its words. */
  roles: Head;
}

/** What is done in the lines of a call, or in parts of them. */
export interface Classified {
  /** @returns 0 to 1; 0 for an act of the other side */
  probability(at: number, act: Act): number;
}

let loaded: LineModel | undefined;

/** The model in the repository, read at the first call. `npm run train` writes it. */
export function lineModel(): LineModel {
  loaded ??= decodeModel(readFileSync(new URL('./line-model.json', import.meta.url), 'utf8'));
  return loaded;
}

/** Finds what is done in each line of a call. Deterministic, in time proportional to the text. */
export function classify(lines: readonly Said[], model: LineModel = lineModel()): Classified {
  const features = featuresOf(lines);
  const first = firstPass(lines, features, model.heads);
  const acts = lines.map(({ role }, index) => {
    const found = new Map<Act, number>();
    if (role === 'other') return found;
    const seen = contextOf(lines, first, index);
    const weights = model.contexts[role];
    for (const [at, act] of ACTS[role].entries()) found.set(act, logistic(dot(weights, at * (seen.length + 1), seen)));
    if (role === 'customer') {
      const kinds = shares(scoresOf(features[index] as Features, model.heads.kind));
      for (const [at, act] of ACTS.kind.entries()) found.set(act, (found.get('objection') ?? 0) * (kinds[at] ?? 0));
    }
    return found;
  });
  return { probability: (line, act) => acts[line]?.get(act) ?? 0 };
}

/** More than this is not proven by the words of one clause. */
const MAX_ROLE_ODDS = 3;

/** @returns for each clause of a call the log odds that the manager says it and not the customer, by its words alone */
export function managerOdds(clauses: readonly { text: string }[], { roles }: LineModel = lineModel()): number[] {
  return roleFeatures(clauses).map((features) => {
    const [odds = 0] = scoresOf(features, roles);
    return Math.max(-MAX_ROLE_ODDS, Math.min(MAX_ROLE_ODDS, odds));
  });
}

/** @returns the log odds of each act of the side by the words of the line and those next to it; none for others */
export function firstPass(
  lines: readonly Said[],
  features: readonly Features[],
  heads: LineModel['heads'],
): Float64Array[] {
  return lines.map(({ role }, index) =>
    role === 'other' ? new Float64Array(0) : scoresOf(features[index] as Features, heads[role]),
  );
}

const rowsOf = new WeakMap<Head, Map<number, number>>();

/** @returns the log odds that a head gives to features */
export function scoresOf({ keys, values }: Features, head: Head): Float64Array {
  let rows = rowsOf.get(head);
  if (rows === undefined) {
    rows = new Map(Array.from(head.keys, (key, row) => [key, row]));
    rowsOf.set(head, rows);
  }
  const acts = head.scales.length;
  const scores = new Float64Array(acts);
  for (let at = 0; at < keys.length; at += 1) {
    const row = rows.get(keys[at] ?? 0);
    if (row === undefined) continue;
    const value = values[at] ?? 0;
    for (let act = 0; act < acts; act += 1)
      scores[act] = (scores[act] ?? 0) + value * (head.weights[row * acts + act] ?? 0);
  }
  return scores.map((score, act) => score * (head.scales[act] ?? 0) + (head.biases[act] ?? 0));
}

const ALL_ACTS = ACTS.customer.length + ACTS.manager.length;
const OFFSET = { customer: 0, manager: ACTS.customer.length };
/** Lines whose acts matter for the line at 0. */
const NEAR = [-5, -4, -3, -2, -1, 1, 2, 3];
/** Log odds beyond this tell no more. */
const MAX_ODDS = 6;

/**
 * The features of the second pass: the line's own log odds, the acts of the lines near it, the strongest of each act in
 * all lines before it, and its place. An answer follows an objection, and who goes on after a clear no is pushy.
 */
export function contextOf(lines: readonly Said[], first: readonly Float64Array[], index: number): Float64Array {
  const own = first[index] ?? new Float64Array(0);
  const seen = new Float64Array(own.length + (NEAR.length + 1) * ALL_ACTS + 2);
  own.forEach((odds, at) => {
    seen[at] = clipped(odds) / 2;
  });
  let at = own.length;
  for (const distance of NEAR) {
    put(lines[index + distance], first[index + distance], seen, at);
    at += ALL_ACTS;
  }
  for (let before = Math.max(0, index - FAR); before < index - 1; before += 1)
    put(lines[before], first[before], seen, at);
  seen[seen.length - 2] = index / lines.length;
  seen[seen.length - 1] = index < 3 ? 1 : 0;
  return seen;
}

/** How far back an act matters: more lines would make the time grow with the square of the text. */
const FAR = 12;

/** Puts the probabilities of a line, or the greater of them and what is there. */
function put(line: Said | undefined, odds: Float64Array | undefined, seen: Float64Array, to: number): void {
  if (line === undefined || line.role === 'other') return;
  const from = to + OFFSET[line.role];
  odds?.forEach((own, act) => {
    seen[from + act] = Math.max(seen[from + act] ?? 0, logistic(own));
  });
}

function clipped(odds: number): number {
  return Math.max(-MAX_ODDS, Math.min(MAX_ODDS, odds));
}

/** Log odds; certainty is bounded. */
export function logOdds(probability: number): number {
  const bounded = Math.min(1 - 1e-4, Math.max(1e-4, probability));
  return Math.log(bounded / (1 - bounded));
}

export function logistic(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** The sum of products from `from`, and the bias after them. */
export function dot(weights: Float32Array, from: number, values: Float64Array): number {
  let sum = weights[from + values.length] ?? 0;
  for (let at = 0; at < values.length; at += 1) sum += (weights[from + at] ?? 0) * (values[at] ?? 0);
  return sum;
}

/** The greatest of probabilities, 0 without any. `Math.max` takes only so many arguments. */
export function greatest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/** Turns scores into shares of 1. */
function shares(scores: Float64Array): Float64Array {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

const HEADS = Object.keys(ACTS) as (keyof typeof ACTS)[];

/** An array as text: base64 of its bytes, little endian. */
export function packed(array: ArrayBufferView): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
}

/** @returns the bytes of such a text */
export function unpacked(text: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(text, 'base64')).buffer;
}

export function packHead({ keys, weights, scales, biases }: Head): Record<keyof Head, string> {
  return { keys: packed(keys), weights: packed(weights), scales: packed(scales), biases: packed(biases) };
}

export function unpackHead({ keys, weights, scales, biases }: Record<keyof Head, string>): Head {
  return {
    keys: new Uint32Array(unpacked(keys)),
    weights: new Int8Array(unpacked(weights)),
    scales: new Float32Array(unpacked(scales)),
    biases: new Float32Array(unpacked(biases)),
  };
}

/** The model as JSON. */
export function encodeModel({ heads, contexts, roles }: LineModel): string {
  const model = {
    roles: packHead(roles),
    heads: Object.fromEntries(HEADS.map((name) => [name, packHead(heads[name])])),
    contexts: Object.fromEntries(SIDES.map((side) => [side, packed(contexts[side])])),
  };
  return `${JSON.stringify(model, null, 1)}\n`;
}

function decodeModel(json: string): LineModel {
  const { heads, contexts, roles } = JSON.parse(json);
  return {
    roles: unpackHead(roles),
    heads: { customer: unpackHead(heads.customer), manager: unpackHead(heads.manager), kind: unpackHead(heads.kind) },
    contexts: {
      customer: new Float32Array(unpacked(contexts.customer)),
      manager: new Float32Array(unpacked(contexts.manager)),
    },
  };
}
