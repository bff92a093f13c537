import { readFileSync } from 'node:fs';
import type { CallKind, SaleStatus } from '@call-analytics/contracts';
import type { Acts, Heard } from './acts.ts';
import {
  type Act,
  CUSTOMER_ACTS,
  dot,
  greatest,
  type Head,
  logistic,
  MANAGER_ACTS,
  packed,
  packHead,
  scoresOf,
  unpacked,
  unpackHead,
} from './classifier.ts';
import { combinedAnswers, type Weighing } from './encoder.ts';
import { type Features, hashOf, mix, type Said, sequences, wordKeys } from './line-features.ts';

export const KINDS = [
  'sales',
  'service',
  'other',
  'voicemail',
  'wrong_number',
  'no_conversation',
] as const satisfies readonly CallKind[];
export const STATUSES = ['sold', 'follow_up', 'not_sold', 'unclear'] as const satisfies readonly SaleStatus[];

/** What is asked about a call, and the answers in the order of the weights. */
export const QUESTIONS = { kind: KINDS, status: STATUSES } as const;
export type Question = keyof typeof QUESTIONS;

/**
 * A head reads the words of the call. The second pass weighs what the head says and what is done in the lines: rows of
 * one weight for each feature of `factsOf`, and the bias last.
 */
export type CallModel = Record<Question, { head: Head; facts: Float32Array }> & {
  /** Another one than that of the repository. */
  weighing?: Weighing | undefined;
};

let loaded: CallModel | undefined;

/** The model in the repository, read at the first call. `npm run train` writes it. */
export function callModel(): CallModel {
  loaded ??= decodeCallModel(readFileSync(new URL('./call-model.json', import.meta.url), 'utf8'));
  return loaded;
}

/** @returns the probability of each answer, in the order of `QUESTIONS`; they sum to 1 */
export function judgeCall(question: Question, { byWords, encoded }: Acts, model?: CallModel): readonly number[] {
  return combinedAnswers(question, judgeByWords(question, byWords, model), encoded, model?.weighing);
}

/** @returns the same by the words alone */
export function judgeByWords(question: Question, heard: Heard, model: CallModel = callModel()): number[] {
  const { head, facts } = model[question];
  const seen = factsOf(question, heard, scoresOf(callFeatures(question, heard.pieces), head));
  const found = QUESTIONS[question].map((_answer, at) => logistic(dot(facts, at * (seen.length + 1), seen)));
  const sum = found.reduce((total, each) => total + each, 0);
  return found.map((each) => each / sum);
}

/** Words beyond these tell no more about a call, and bound the time and the memory. */
const MAX_WORDS = 5_000;
/** What people say first is why they call. */
const OPENING_LINES = 8;
/** What people say last is how it ends. */
const LAST_LINES = 8;
/** How a call ends is said in this part of it. */
const LAST_PART = 0.5;
/** The last words of a line and the first of the answer that are seen together. */
const PAIRED = { asked: 6, answered: 4 };

const [PLAIN, OPENING, LAST, SKIP, PAIR] = ['plain', 'opening', 'last', 'skip', 'pair'].map(hashOf) as [
  number,
  number,
  number,
  number,
  number,
];
const ROLE = { manager: 1, customer: 2, other: 3 };

/** The words of a call as features: for its kind without roles, which may be wrong; for its end with them. */
export function callFeatures(question: Question, lines: readonly Said[]): Features {
  const found = new Set<number>();
  const ends = question === 'status';
  const read = ends ? lastLines(lines) : lines;
  const first = lines.length - read.length;
  let [words, before] = [0, [] as number[]];
  for (const [at, { role, text }] of read.entries()) {
    const own = wordKeys(text);
    words += own.length;
    if (words > MAX_WORDS) break;
    const from = ends ? ROLE[role] : 0;
    sequences(found, mix(PLAIN, from), own, ends ? 3 : 2);
    if (!ends && at < OPENING_LINES) sequences(found, OPENING, own, 2);
    if (ends) {
      if (lines.length - first - at <= LAST_LINES) sequences(found, mix(LAST, from), own, 3);
      own.forEach((one, place) => {
        for (const gap of [2, 3]) {
          const other = own[place + gap];
          if (other !== undefined) found.add(mix(mix(mix(SKIP, from), one), other));
        }
      });
      if (role === 'customer')
        for (const asked of before.slice(-PAIRED.asked))
          for (const answered of own.slice(0, PAIRED.answered)) found.add(mix(mix(PAIR, asked), answered));
    }
    before = role === 'manager' ? own : [];
  }
  return { keys: [...found], values: Array<number>(found.size).fill(SCALE / Math.sqrt(found.size)) };
}

/** Calls differ in length, so the features of each have the same sum of squares. */
const SCALE = 10;

/** The lines of the last part, of a long call only the last of them. */
function lastLines(lines: readonly Said[]): readonly Said[] {
  let [from, characters] = [lines.length, 0];
  const first = Math.ceil(lines.length * LAST_PART);
  while (from > first && characters < MAX_WORDS * 5) {
    from -= 1;
    characters += lines[from]?.text.length ?? 0;
  }
  return lines.slice(from);
}

/** A piece that shows the kind of a call has this many words and is one of the first of a long call. */
const SHOWS = { words: 4, within: 40 };

/** @returns the piece whose words say most clearly that the call is of this kind; null when none does */
export function clearestPiece(
  kind: CallKind,
  { pieces }: Pick<Heard, 'pieces'>,
  { kind: { head } }: CallModel = callModel(),
): number | null {
  let best = { score: Number.NEGATIVE_INFINITY, piece: -1 };
  for (const [piece, said] of pieces.slice(0, SHOWS.within).entries()) {
    if (said.text.split(/\s+/, SHOWS.words).length < SHOWS.words) continue;
    const scores = scoresOf(callFeatures('kind', [said]), head);
    const score = scores[KINDS.indexOf(kind)] ?? 0;
    if (score > best.score) best = { score, piece };
  }
  return best.piece < 0 ? null : best.piece;
}

const ALL_ACTS: readonly Act[] = [...CUSTOMER_ACTS, ...MANAGER_ACTS];
const odds = (probability: number) => Math.log((probability + 1e-3) / (1 - probability + 1e-3));

/** What is done in the call, and what the words say: the features of the second pass. */
export function factsOf(question: Question, { pieces, probability }: Heard, byWords: Float64Array): Float64Array {
  const of = (act: Act) => pieces.map((_piece, at) => probability(at, act));
  const scores = [...byWords].map((score) => Math.max(-6, Math.min(6, score)) / 2);
  if (question === 'kind')
    return Float64Array.from([
      ...scores,
      ...ALL_ACTS.flatMap((act) => {
        const values = of(act);
        const sum = values.reduce((total, value) => total + value, 0);
        return [
          Math.log(0.02 + greatest(values)) / 3,
          Math.log(0.1 + sum) / 3,
          Math.log(0.01 + sum / (1 + values.length)) / 3,
        ];
      }),
      Math.log(1 + pieces.length) / 3,
    ]);
  const [accept, refuse, agree, step] = [of('accept'), of('refuse'), of('agree'), of('step')];
  const any = (values: readonly number[], from: number) =>
    odds(1 - values.reduce((none, value, at) => (at < from * pieces.length ? none : none * (1 - value)), 1)) / 3;
  const last = (values: readonly number[]) => values.lastIndexOf(greatest(values)) / pieces.length;
  const agreed = step.map((value, at) =>
    at < 0.4 * pieces.length ? 0 : value * Math.max(0, ...agree.slice(at + 1, at + 4)),
  );
  return Float64Array.from([
    ...scores,
    odds(greatest(agreed)) / 3,
    ...[accept, refuse].map((values) => odds(greatest(values.slice(Math.floor(0.3 * values.length)))) / 3),
    any(accept, 0.3),
    any(refuse, 0.3),
    any(agree, 0.4),
    any(of('objection'), 0),
    last(accept) - last(refuse),
    last(refuse),
  ]);
}

export function encodeCallModel({ kind, status }: CallModel): string {
  const part = ({ head, facts }: CallModel[Question]) => ({ head: packHead(head), facts: packed(facts) });
  return `${JSON.stringify({ kind: part(kind), status: part(status) }, null, 2)}\n`;
}

function decodeCallModel(json: string): CallModel {
  const { kind, status } = JSON.parse(json);
  const part = ({ head, facts }: { head: Record<keyof Head, string>; facts: string }) => ({
    head: unpackHead(head),
    facts: new Float32Array(unpacked(facts)),
  });
  return { kind: part(kind), status: part(status) };
}
