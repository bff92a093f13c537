import { cut } from '../call/evidence.ts';
import type { Evidence } from '../call/observations.ts';
import {
  type Act,
  type Classified,
  classify,
  dot,
  greatest,
  type LineModel,
  logistic,
  logOdds,
  OBJECTION_KINDS,
  type Said,
} from './classifier.ts';
import { combined, type Encoded, encode, weighing as ownWeighing, type Weighing } from './encoder.ts';

/** A part of a line that is read as one: a line of speech recognition may be a minute of talk. */
interface Piece extends Said {
  /** Index into the lines. */
  line: number;
}

/** Longer lines are split; the lines of the training are seldom longer. In words. */
const MAX_PIECE_WORDS = 40;

/** What is said in a call, and what is done by it as far as the classifier of words can tell. */
export interface Heard extends Classified {
  pieces: readonly Piece[];
}

/** What manager and customer do in the lines of a call, by the classifier of words and the encoder combined. */
export interface Acts extends Heard {
  byWords: Heard;
  /** Null where a call is too long for the encoder. */
  encoded: Encoded | null;
  /** The pieces in which an act is at least this likely, in order. */
  find(act: Act, least: number): number[];
  evidence(piece: number): Evidence;
}

/** Finds what is done in the lines by their words alone. In time proportional to the text. */
export function heardIn(lines: readonly Said[], model?: LineModel): Heard {
  const pieces = lines.flatMap(({ role, text }, line) => split(text).map((part) => ({ role, line, text: part })));
  return { pieces, ...classify(pieces, model) };
}

/** Finds what is done in the lines. In time proportional to the text. */
export async function actsOf(lines: readonly Said[], model?: LineModel, weighing?: Weighing): Promise<Acts> {
  const byWords = heardIn(lines, model);
  const { pieces } = byWords;
  const encoded = await encode(pieces);
  const { probability } = objectionsInContext({ pieces, ...combined(byWords, encoded, weighing) }, weighing);
  return {
    pieces,
    byWords,
    encoded,
    probability,
    find: (act, least) => pieces.flatMap((_piece, index) => (probability(index, act) >= least ? [index] : [])),
    evidence: (index) => ({ quote: cut(pieces[index]?.text ?? ''), line: pieces[index]?.line ?? 0 }),
  };
}

/** Splits a text at the ends of sentences, and where a sentence is too long, so that no part is longer than allowed. */
function split(text: string): string[] {
  const parts: string[] = [];
  let [start, words, sentence] = [0, 0, 0];
  const close = (at: number) => {
    if (/[\p{L}\p{N}]/u.test(text.slice(start, at))) parts.push(text.slice(start, at).trim());
    [start, words] = [at, 0];
  };
  for (const { 0: word, index } of text.matchAll(/\S+\s*/g)) {
    const end = index + word.length;
    words += 1;
    if (words > MAX_PIECE_WORDS) {
      const at = sentence > start ? sentence : index;
      close(at);
      words = 1 + (text.slice(start, index).match(/\S+/g)?.length ?? 0);
    }
    if (/[.!?…]\s*$/.test(word)) sentence = end;
  }
  close(text.length);
  return parts;
}

/** Pieces that are less likely an objection are none, whatever is around them. */
const MAY_OBJECT = 0.05;
/** What the manager does around a piece that may be an objection, and in which of the pieces before and after it. */
const AROUND = {
  acts: ['answer', 'offer', 'step', 'mistake', 'proof', 'ask', 'decide'],
  pieces: [-2, -1, 1, 2],
} as const;

/**
 * What tells objections from other talk, besides what is said: the kind, what the manager does before and after it (an
 * objection is answered), and how likely the clearest other objection of the call is.
 * @returns the features of each piece that may be an objection
 */
export function objectionFeatures({ pieces, probability }: Pick<Heard, 'pieces' | 'probability'>) {
  const likely = pieces.map((_piece, at) => probability(at, 'objection'));
  const clearest = likely.reduce((best, each, at) => (each > (likely[best] ?? 0) ? at : best), 0);
  const next = greatest(likely.filter((_each, at) => at !== clearest));
  const found = new Map<number, Float64Array>();
  likely.forEach((own, at) => {
    if (own < MAY_OBJECT) return;
    const kinds = OBJECTION_KINDS.map((kind) => probability(at, `objection.${kind}`) / own);
    const around = AROUND.pieces.flatMap((step) => AROUND.acts.map((act) => probability(at + step, act)));
    const odds = [own, at === clearest ? next : (likely[clearest] ?? 0), ...around].map((each) => logOdds(each) / 3);
    found.set(at, Float64Array.from([...odds, ...kinds]));
  });
  return found;
}

/** Judges objections once more, by what is done around them. */
function objectionsInContext(
  heard: Pick<Heard, 'pieces' | 'probability'>,
  { objection }: Weighing = ownWeighing(),
): Classified {
  const weights = Float32Array.from(objection);
  const features = objectionFeatures(heard);
  const shares = new Map(
    [...features].map(([at, seen]) => [at, logistic(dot(weights, 0, seen)) / heard.probability(at, 'objection')]),
  );
  return {
    probability: (at, act) => heard.probability(at, act) * (act.startsWith('objection') ? (shares.get(at) ?? 1) : 1),
  };
}
