import { cut } from '../call/evidence.ts';
import type { Evidence } from '../call/observations.ts';
import { type Act, type Classified, classify, type LineModel, type Said } from './classifier.ts';
import { combined, type Encoded, encode, type Weighing } from './encoder.ts';

/** A part of a line that is read as one: a line of speech recognition may be a minute of talk. */
interface Piece extends Said {
  /** Index into the lines. */
  line: number;
}

/** Longer lines are split; the lines of the training are seldom longer. In words. */
const LONGEST_PIECE = 40;

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
  const { probability } = combined(byWords, encoded, weighing);
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
    if (words > LONGEST_PIECE) {
      const at = sentence > start ? sentence : index;
      close(at);
      words = 1 + (text.slice(start, index).match(/\S+/g)?.length ?? 0);
    }
    if (/[.!?…]\s*$/.test(word)) sentence = end;
  }
  close(text.length);
  return parts;
}
