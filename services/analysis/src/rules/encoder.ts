import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { ACTS, type Act, type Classified, logistic, logOdds, type Said } from './classifier.ts';
import { type NeutralWord, neutralText, neutralWords } from './line-features.ts';

export { neutralText };

/** A word of a line, and how likely it names what is asked for. */
export interface NamingWord extends NeutralWord {
  likely: number;
}

/** What words may name: what is sold, or what is done in an agreed step. */
type Named = 'sold' | 'step';

/** What the encoder says of a call: probabilities of the acts of each line, of its kind and of its sale status. */
export interface Encoded {
  /** @returns 0 to 1 */
  probability(line: number, act: Act): number;
  naming(what: Named, line: number): readonly NamingWord[];
  kind: readonly number[];
  status: readonly number[];
}

/** The order of the acts in the answers of the encoder. */
export const ENCODED_ACTS: readonly Act[] = [...ACTS.customer, ...ACTS.kind, ...ACTS.manager];
/** Each line begins with a token for its speaker. */
const SPEAKER = { manager: 1, customer: 2, other: 3 } as const;
/** Tokens of one stretch of lines and of one line, as in training: more is cut. */
const STRETCH = 192;
const MAX_LINE = 64;
/** Stretches overlap by this share of their lines, so that each line is read with lines around it. */
const OVERLAP = 0.4;
/** The time grows with the tokens: five hours of talk have about as many, and take half a minute. */
const MAX_TOKENS = 60_000;

interface Loaded {
  session: InferenceSession;
  pieces: ReadonlyMap<string, number>;
}
let loaded: Promise<Loaded> | undefined;

/** Reads the model in the repository at the first call. `test/quality/train/encoder.py` writes it. */
async function load(): Promise<Loaded> {
  const model = fileURLToPath(new URL('./encoder/encoder.onnx', import.meta.url));
  // One thread, because analyses run side by side; memory is given back after each stretch.
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  return { session, pieces: encodedPieces() };
}

/** The vocabulary: each piece of a word with its token. */
export function encodedPieces(): ReadonlyMap<string, number> {
  const pieces = readFileSync(new URL('./encoder/pieces.txt', import.meta.url), 'utf8').split('\n');
  return new Map(pieces.map((piece, id) => [piece, id]));
}

/** The tokens of a line as they are read, its speaker first, and which characters each of the others stands for. */
export function encodedLine(
  { role, text }: Said,
  pieces: ReadonlyMap<string, number>,
): { ids: number[]; spans: [start: number, end: number][] } {
  const tokens = neutralWords(text).flatMap(({ text: word, start, end }) =>
    tokensOf(word, pieces).map((id) => ({ id, span: [start, end] as [number, number] })),
  );
  const read = tokens.slice(0, MAX_LINE);
  return { ids: [SPEAKER[role], ...read.map(({ id }) => id)], spans: read.map(({ span }) => span) };
}

/**
 * Reads a call with a sentence encoder, bge-small-en-v1.5 with twelve layers, trained further on the training calls;
 * deterministic, in time proportional to the tokens. It reads stretches of lines, so that a line is understood by the
 * lines around it.
 * @returns null for no line, and for more talk than any call has
 */
export async function encode(said: readonly Said[]): Promise<Encoded | null> {
  loaded ??= load();
  const { session, pieces } = await loaded;
  const words = said.map(({ text }) =>
    neutralWords(text).map((word) => ({ word, tokens: tokensOf(word.text, pieces) })),
  );
  const lines = said.map(({ role }, line) => [
    SPEAKER[role],
    ...(words[line] ?? []).flatMap(({ tokens }) => tokens).slice(0, MAX_LINE),
  ]);
  const tokens = lines.reduce((sum, { length }) => sum + length, 0);
  if (tokens === 0 || tokens > MAX_TOKENS) return null;
  const none = new Float32Array(0);
  const found = lines.map(() => ({ room: -1, acts: none, sold: none, step: none }));
  const kinds: Float32Array[] = [];
  let status: Float32Array | undefined;
  for (const [from, to] of stretches(lines)) {
    const { places, ...tensors } = input(lines.slice(from, to), pieces);
    const answer = await session.run(tensors);
    const acts = answer.acts?.data as Float32Array;
    kinds.push(answer.kind?.data as Float32Array);
    status = answer.status?.data as Float32Array;
    const width = ENCODED_ACTS.length;
    places.forEach((place, at) => {
      // Where stretches overlap, a line is judged in the one with more lines on both sides of it.
      const room = Math.min(from === 0 ? lines.length : at, to === lines.length ? lines.length : to - from - 1 - at);
      const known = found[from + at];
      if (known === undefined || room <= known.room) return;
      const tokensOfLine = (all: Float32Array) => all.slice(place.from + 1, place.from + place.length);
      found[from + at] = {
        room,
        acts: acts.slice(at * width, (at + 1) * width),
        sold: tokensOfLine(answer.sold?.data as Float32Array),
        step: tokensOfLine(answer.step?.data as Float32Array),
      };
    });
  }
  return {
    probability: (line, act) => found[line]?.acts[ENCODED_ACTS.indexOf(act)] ?? 0,
    naming: (what, line) => {
      let at = 0;
      return (words[line] ?? []).map(({ word, tokens }) => {
        const own = found[line]?.[what].subarray(at, at + tokens.length) ?? [];
        at += tokens.length;
        return { ...word, likely: Math.max(0, ...own) };
      });
    },
    kind: meanOf(kinds),
    status: [...(status ?? [])],
  };
}

/** @returns begins and ends of the stretches of lines that are read at once */
function stretches(lines: readonly (readonly number[])[]): [number, number][] {
  const found: [number, number][] = [];
  for (let from = 0; from < lines.length; ) {
    let [to, tokens] = [from, 1];
    while (to < lines.length && (to === from || tokens + (lines[to]?.length ?? 0) + 1 <= STRETCH)) {
      tokens += (lines[to]?.length ?? 0) + 1;
      to += 1;
    }
    found.push([from, to]);
    if (to === lines.length) break;
    from += Math.max(1, Math.floor((to - from) * (1 - OVERLAP)));
  }
  return found;
}

/** The tokens of a stretch, for each line the mean over its tokens as weights, and its place. */
function input(lines: readonly (readonly number[])[], pieces: ReadonlyMap<string, number>) {
  const [begin = 0, separator = 0] = [pieces.get('[CLS]'), pieces.get('[SEP]')];
  const ids = [begin];
  const places = lines.map((line) => {
    const from = ids.length;
    ids.push(...line, separator);
    return { from, length: line.length };
  });
  const mean = new Float32Array(lines.length * ids.length);
  places.forEach(({ from, length }, line) => {
    mean.fill(1 / length, line * ids.length + from, line * ids.length + from + length);
  });
  return {
    places,
    ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]),
    pool: new Tensor('float32', mean, [lines.length, ids.length]),
  };
}

/** The longest word that is spelled in pieces; a longer one is unknown. */
const MAX_WORD = 100;

/** WordPiece: a word is the longest pieces of the vocabulary, from its begin, or unknown when they cannot spell it. */
export function tokensOf(text: string, pieces: ReadonlyMap<string, number>): number[] {
  const tokens: number[] = [];
  const unknown = pieces.get('[UNK]') ?? 0;
  const plain = text.normalize('NFD').replace(/\p{Mn}/gu, '');
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) {
    const spelled: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = word.length > MAX_WORD ? from : word.length;
      while (to > from && !pieces.has(pieceOf(word, from, to))) to -= 1;
      spelled.push(to > from ? (pieces.get(pieceOf(word, from, to)) ?? unknown) : unknown);
      from = to > from ? to : word.length;
    }
    tokens.push(...(spelled.includes(unknown) ? [unknown] : spelled));
  }
  return tokens;
}

function pieceOf(word: string, from: number, to: number): string {
  return (from === 0 ? '' : '##') + word.slice(from, to);
}

/** The geometric mean of probabilities, as shares of 1. */
function meanOf(all: readonly Float32Array[]): number[] {
  const means = [...(all[0] ?? [])].map((_first, at) =>
    Math.exp(all.reduce((sum, one) => sum + Math.log(Math.max(1e-9, one[at] ?? 0)), 0) / all.length),
  );
  const sum = means.reduce((total, each) => total + each, 0);
  return means.map((mean) => mean / sum);
}

/** Log odds are weighed: those by the words, those by the encoder, and a bias. */
export type Weights = readonly [byWords: number, byEncoder: number, bias: number];

/**
 * How much the words and the encoder count, for each act and each answer about a call. Learned from calls that neither
 * has seen, so that the probabilities are calibrated.
 */
export interface Weighing {
  acts: Partial<Record<Act, Weights>>;
  kind: readonly Weights[];
  status: readonly Weights[];
  /** Of the features of an objection by what is done around it (`objectionFeatures`), and the bias last. */
  objection: readonly number[];
}

let weighed: Weighing | undefined;
/** The weighing in the repository. `npm run train` writes it. */
export function weighing(): Weighing {
  weighed ??= JSON.parse(readFileSync(new URL('./encoder/weighing.json', import.meta.url), 'utf8')) as Weighing;
  return weighed;
}

function weigh([words, encoder, bias]: Weights, byWords: number, byEncoder: number): number {
  return logistic(words * logOdds(byWords) + encoder * logOdds(byEncoder) + bias);
}

/** @returns what is done in the lines, by what the words and the encoder say */
export function combined(byWords: Classified, encoded: Encoded | null, { acts } = weighing()): Classified {
  if (encoded === null) return byWords;
  return {
    probability: (line, act) => {
      const own = byWords.probability(line, act);
      const weights = acts[act];
      // Zero is said of an act of the other side.
      return weights === undefined || own === 0 ? own : weigh(weights, own, encoded.probability(line, act));
    },
  };
}

/** @returns the probability of each answer by what the words and the encoder say; they sum to 1 */
export function combinedAnswers(
  question: 'kind' | 'status',
  byWords: readonly number[],
  encoded: Encoded | null,
  { [question]: answers } = weighing(),
): readonly number[] {
  if (encoded === null) return byWords;
  const found = byWords.map((own, at) => weigh(answers[at] ?? [1, 0, 0], own, encoded[question][at] ?? 0));
  const sum = found.reduce((total, each) => total + each, 0);
  return found.map((each) => each / sum);
}
