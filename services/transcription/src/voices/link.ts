import type { Stretch } from '../plan/frames.ts';
import { lowerBound, orders } from './clusters.ts';
import { FRAME_MS, type VoiceFeatures } from './features.ts';
import { fit, score, universalMixture } from './models.ts';
import { findSpeech, packed, type Speech } from './speech.ts';

/** What an engine heard under one label. A label holds within one request. */
export interface LabeledSpeech {
  request: string;
  stretches: readonly Stretch[];
}

export interface Linked {
  /** The person of each label, 0-based, in order of the labels. */
  speakers: number[];
  /** 0 to 1: how sure it is that each person has one voice. */
  confidence: number;
}

/** A label with less speech does not count as a person. */
const MIN_FRAMES = 1_000 / FRAME_MS;
/** Labels are judged by so many frames in all, spread over the recording, so that hours cost little. */
const MAX_FRAMES = 48_000;
const MAX_PEOPLE = 6;
const ROUNDS = 6;
/**
 * How much more likely a frame is for its person than for another, by models of other stretches. Measured: 4.6 and more
 * with the turns of two people, at most 0.6 where each label holds turns of both.
 */
const EVEN = 1.5;
const SLOPE = 3;

/** @returns the speech that labels are judged by: at most 4 MB */
export function linkable(features: VoiceFeatures): Speech {
  const { runs, frames } = findSpeech(features);
  const every = Math.max(1, Math.ceil(frames.length / MAX_FRAMES));
  return packed(features, { runs, frames: frames.filter((_, i) => i % every === 0) });
}

/**
 * Finds which labels of different requests are the same person, by the sound of the voices. Two labels of one request
 * are two people.
 * @param speech made by `linkable`
 * @returns null when no request has two labels with a second of speech
 */
export function linkLabels({ frames, mfcc }: Speech, given: readonly LabeledSpeech[]): Linked | null {
  const pieces = given.flatMap(({ stretches }, label) => stretches.map((stretch) => ({ ...stretch, label })));
  const pieceOf = piecesOfFrames(frames, pieces);
  const framesOf = (wanted: (piece: number) => boolean) => {
    const found: number[] = [];
    for (let i = 0; i < pieceOf.length; i += 1)
      if ((pieceOf[i] as number) >= 0 && wanted(pieceOf[i] as number)) found.push(i);
    return Int32Array.from(found);
  };
  const lengthOf = given.map((_, label) => framesOf((piece) => pieces[piece]?.label === label).length);
  /** The labels of each request, those with most speech first. */
  const requests = [...Map.groupBy(given.keys(), (label) => given[label]?.request).values()].map((labels) =>
    labels.sort((a, b) => (lengthOf[b] ?? 0) - (lengthOf[a] ?? 0)),
  );
  const [first = []] = requests
    .map((labels) => labels.filter((label) => (lengthOf[label] ?? 0) >= MIN_FRAMES).slice(0, MAX_PEOPLE))
    .sort((a, b) => b.length - a.length || (lengthOf[b.at(-1) ?? 0] ?? 0) - (lengthOf[a.at(-1) ?? 0] ?? 0));
  if (first.length < 2) return null;

  const people = [...first.keys()];
  const universal = universalMixture(
    mfcc,
    framesOf(() => true),
  );
  let personOf: (number | undefined)[] = [];
  for (const person of people) personOf[first[person] as number] = person;
  /** Of each person, the log-likelihood of each piece, by what is known of the person from some pieces. */
  const likelihoods = (from: (piece: number) => boolean): Float64Array[] =>
    people.map((person) => {
      const own = framesOf((piece) => from(piece) && personOf[pieces[piece]?.label ?? -1] === person);
      return score(fit(universal, mfcc, own, 5), mfcc, { ofFrame: pieceOf, count: pieces.length });
    });
  for (let round = 0; round < ROUNDS; round += 1) {
    const ofLabel = likelihoods(() => true).map((ofPiece) => {
      const sums = new Float64Array(given.length);
      pieces.forEach(({ label }, piece) => {
        sums[label] = (sums[label] as number) + (ofPiece[piece] as number);
      });
      return sums;
    });
    const next: number[] = [];
    for (const labels of requests) {
      const best = mostLikely(labels.slice(0, people.length), ofLabel);
      labels.forEach((label, at) => {
        const own = ofLabel.map((person) => person[label] as number);
        next[label] = best[at] ?? own.indexOf(Math.max(...own));
      });
    }
    const settled = next.every((person, label) => person === personOf[label]);
    personOf = next;
    if (settled) break;
  }
  let gain = 0;
  for (const half of [0, 1]) {
    const ofPiece = likelihoods((piece) => piece % 2 !== half);
    pieces.forEach(({ label }, piece) => {
      if (piece % 2 !== half) return;
      const person = personOf[label] ?? 0;
      const others = ofPiece.filter((_, other) => other !== person).map((other) => other[piece] as number);
      gain += (ofPiece[person]?.[piece] as number) - Math.max(...others);
    });
  }
  const perFrame = gain / framesOf(() => true).length;
  return {
    speakers: given.map((_, label) => personOf[label] ?? 0),
    confidence: 1 / (1 + Math.exp(-SLOPE * (perFrame - EVEN))),
  };
}

/** @returns the piece of each packed frame; -1 where there is none */
function piecesOfFrames(frames: Int32Array, pieces: readonly Stretch[]): Int32Array {
  const pieceOf = new Int32Array(frames.length).fill(-1);
  pieces.forEach(({ startMs, endMs }, piece) => {
    pieceOf.fill(piece, lowerBound(frames, startMs / FRAME_MS), lowerBound(frames, endMs / FRAME_MS));
  });
  return pieceOf;
}

/** @returns a person for each label, all different, in the most likely order */
function mostLikely(labels: readonly number[], likelihood: readonly Float64Array[]): readonly number[] {
  let best: readonly number[] = [];
  let most = Number.NEGATIVE_INFINITY;
  for (const order of orders([...likelihood.keys()], labels.length)) {
    const sum = order.reduce((total, person, at) => total + (likelihood[person]?.[labels[at] as number] ?? 0), 0);
    if (sum > most) [best, most] = [order, sum];
  }
  return best;
}
