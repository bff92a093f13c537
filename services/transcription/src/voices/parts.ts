import { labelsOfFrames, nearestMeans, orders, spectral, WINDOW_FRAMES, windowsOf } from './clusters.ts';
import { type Blocks, blocksOf, decode, fit, type Mixture, score, universalMixture } from './models.ts';
import type { Speech } from './speech.ts';
import { diagonalDistances, fullDistances, tiedMixture, whitened } from './starts.ts';

/** Models are learned from at most so many frames. */
export const LEARN_FRAMES = 24_000;
const TRAIN_EVERY = 2;
const ROUNDS = 6;
/** With less speech nothing can be told apart. */
const MIN_FRAMES = 600;
const MIN_WINDOWS = 6;
/**
 * From this evidence on, what was taken for one voice is two or three. Measured: at most 0.13 for recordings of one
 * person, 0.23 for one person of a call in noise, and 0.2 and more for two voices that are told apart.
 */
export const SEVERAL = 0.28;
/** Evidence for more clusters is smaller than for two. Measured: at most 0.06 for three clusters of one voice. */
const SCALE = [0, 0, 1, 1.7];

/** Speech with what every model of its voices begins with. */
export interface Modeled {
  speech: Speech;
  blocks: Blocks;
  universal: Mixture;
}

export function modeled(speech: Speech): Modeled {
  const blocks = blocksOf(speech);
  const all = framesWhere(blocks, () => true);
  return { speech, blocks, universal: universalMixture(speech.mfcc, all) };
}

/** Who speaks, under the models of the voices. */
export interface Outcome {
  score: number;
  /** The voice of each block, and of each packed frame. */
  labels: Int8Array;
  ofFrame: Int8Array;
  /** Of each voice, the log-likelihood of each block. */
  scores: Float64Array[];
}

/** Models each voice and decides again which blocks are whose, until nothing changes. */
export function refine(
  { speech, blocks, universal }: Modeled,
  start: Int8Array,
  voices: number,
  rounds = ROUNDS,
): Outcome {
  let ofFrame = start;
  for (let round = 1; ; round += 1) {
    const scores = Array.from({ length: voices }, (_, voice) => {
      const own = framesWhere(blocks, (i) => ofFrame[i] === voice);
      return score(fit(universal, speech.mfcc, own, 5), speech.mfcc, blocks);
    });
    const decoded = decode(scores, blocks);
    const next = Int8Array.from(blocks.ofFrame, (block) => (block < 0 ? -1 : (decoded.labels[block] as number)));
    const settled = next.every((label, i) => label === ofFrame[i]);
    ofFrame = next;
    if (settled || round === rounds) return { ...decoded, ofFrame, scores };
  }
}

/** @returns at most LEARN_FRAMES / TRAIN_EVERY of the packed frames that are wanted, spread over all */
export function framesWhere({ ofFrame }: Blocks, wanted: (frame: number) => boolean): Int32Array {
  let count = 0;
  const isWanted = (i: number) => (ofFrame[i] as number) >= 0 && wanted(i);
  for (let i = 0; i < ofFrame.length; i += 1) if (isWanted(i)) count += 1;
  const every = Math.max(TRAIN_EVERY, Math.ceil(count / (LEARN_FRAMES / TRAIN_EVERY)));
  const kept = new Int32Array(Math.ceil(count / every));
  // Counted again, because a list of all of them takes a hundred MB for hours of speech.
  count = 0;
  for (let i = 0; i < ofFrame.length; i += 1) {
    if (!isWanted(i)) continue;
    if (count % every === 0) kept[count / every] = i;
    count += 1;
  }
  return kept;
}

/** Speech split into several voices, whether or not there are so many. */
export interface VoiceSplit {
  voices: number;
  /** 0 to 1: how separate the clusters are, and how far three ways to find them agree. */
  evidence: number;
  /** 0 to 1: how separate two clusters are. */
  separation: number;
  outcome: Outcome;
}

/**
 * Splits speech into two or three voices, by what there is more evidence of. Each guess at the clusters is refined; the
 * most likely outcome is taken.
 * @param minEvidence evidence below which the outcome does not matter
 * @returns null when there is too little speech, or less evidence than that
 */
export function splitVoices(speech: Speech, { minEvidence = 0, maxVoices = 3 } = {}): VoiceSplit | null {
  if (speech.frames.length < MIN_FRAMES) return null;
  const windows = windowsOf(speech, WINDOW_FRAMES / 2);
  if (windows.length < MIN_WINDOWS) return null;
  const byFull = spectral(fullDistances(speech, windows));
  const separation = byFull.eigenvalues[1] ?? 0;
  const bound = (voices: number) => (SCALE[voices] as number) * (byFull.eigenvalues[voices - 1] ?? 0);
  const worth = [2, 3].filter((voices) => voices <= maxVoices && bound(voices) >= minEvidence);
  if (worth.length === 0) return null;
  const byDiagonal = spectral(diagonalDistances(speech, windows));
  const model = modeled(speech);
  const splits = worth.map((voices) => {
    const directions = whitened(speech, windows, voices);
    const guesses = [
      byDiagonal.labels(voices),
      byFull.labels(voices),
      voices === 2 ? tiedMixture(directions) : nearestMeans(directions, voices),
    ];
    const outcomes = guesses.map((labels) => refine(model, labelsOfFrames(speech, windows, labels, voices), voices));
    const outcome = outcomes.reduce((best, each) => (each.score > best.score ? each : best));
    const others = outcomes.filter((each) => each !== outcome);
    const agreed = others.reduce((sum, { ofFrame }) => sum + agreement(ofFrame, outcome.ofFrame, voices), 0);
    return { voices, evidence: bound(voices) * (agreed / others.length) ** 3, separation, outcome };
  });
  const [two, three] = splits;
  return three !== undefined && three.evidence >= Math.max(SEVERAL, two?.evidence ?? 0) ? three : (two ?? null);
}

/** Cohen's kappa of the order of labels in which they agree best. @returns 0 when that is not better than chance */
export function agreement(a: Int8Array, b: Int8Array, labels: number): number {
  const shares = Array.from({ length: labels }, () => new Float64Array(labels));
  let count = 0;
  for (let i = 0; i < a.length; i += 1) {
    const row = shares[a[i] as number];
    const column = b[i] as number;
    if (row === undefined || column < 0) continue;
    row[column] = (row[column] as number) + 1;
    count += 1;
  }
  const each = shares.map((_, label) => label);
  const rows = shares.map((row) => row.reduce((sum, value) => sum + value, 0) / count);
  const columns = each.map((label) => shares.reduce((sum, row) => sum + (row[label] as number), 0) / count);
  const kappas = orders(each).map((order) => {
    const same = order.reduce((sum, to, from) => sum + (shares[from]?.[to] ?? 0) / count, 0);
    const chance = order.reduce((sum, to, from) => sum + (rows[from] as number) * (columns[to] as number), 0);
    return (same - chance) / Math.max(1e-6, 1 - chance);
  });
  return Math.max(0, ...kappas);
}
