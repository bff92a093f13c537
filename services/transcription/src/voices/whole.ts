import { COEFFICIENTS, type VoiceFeatures } from './features.ts';
import { blocksOf, decode, fit, type Mixture, score, universalMixture } from './models.ts';
import { framesWhere, type Outcome } from './parts.ts';
import type { FoundSpeech } from './speech.ts';

/** How much of it is packed at a time: a minute. */
const PART_FRAMES = 6_000;

/**
 * As `refine`, for a recording of hours: its sound is packed part by part, because all of it would take 100 MB.
 * @param start the voice of each frame of the speech; -1 where it is not known
 */
export function refineWhole(
  features: VoiceFeatures,
  speech: FoundSpeech,
  start: Int8Array,
  voices: number,
  rounds: number,
): { blocks: ReturnType<typeof blocksOf>; outcome: Pick<Outcome, 'labels' | 'scores'> } {
  const { frames } = speech;
  const blocks = blocksOf(speech);
  const scale = scaleOf(features, frames);
  const soundOf = (own: Int32Array, into = new Float32Array(own.length * COEFFICIENTS)) =>
    normalized(features, own, scale, into);
  const learned = (indexes: Int32Array, learn: (mfcc: Float32Array, all: Int32Array) => Mixture) =>
    learn(
      soundOf(indexes.map((i) => frames[i] as number)),
      indexes.map((_, k) => k),
    );
  const part = new Float32Array(PART_FRAMES * COEFFICIENTS);
  const universal = learned(
    framesWhere(blocks, () => true),
    universalMixture,
  );
  let ofFrame = start;
  for (let round = 1; ; round += 1) {
    const mixtures = Array.from({ length: voices }, (_, voice) => {
      const own = framesWhere(blocks, (i) => ofFrame[i] === voice);
      return learned(own, (mfcc, all) => fit(universal, mfcc, all, 5));
    });
    const scores = mixtures.map(() => new Float64Array(blocks.count));
    for (let from = 0; from < frames.length; from += PART_FRAMES) {
      const mfcc = soundOf(frames.subarray(from, from + PART_FRAMES), part);
      const ofFrame = blocks.ofFrame.subarray(from, from + PART_FRAMES);
      mixtures.forEach((mixture, voice) => {
        score(mixture, mfcc, { ofFrame, count: blocks.count }, scores[voice]);
      });
    }
    const { labels } = decode(scores, blocks);
    if (round === rounds) return { blocks, outcome: { labels, scores } };
    const next = new Int8Array(frames.length).fill(-1);
    blocks.ofFrame.forEach((block, i) => {
      if (block >= 0) next[i] = labels[block] as number;
    });
    ofFrame = next;
  }
}

interface Scale {
  means: Float64Array;
  deviations: Float64Array;
}

function scaleOf(features: VoiceFeatures, frames: Int32Array): Scale {
  const means = new Float64Array(COEFFICIENTS);
  const deviations = new Float64Array(COEFFICIENTS);
  const count = Math.max(1, frames.length);
  for (let c = 0; c < COEFFICIENTS; c += 1) {
    let sum = 0;
    let squares = 0;
    for (const frame of frames) sum += features.coefficient(frame, c);
    const mean = sum / count;
    for (const frame of frames) squares += (features.coefficient(frame, c) - mean) ** 2;
    means[c] = mean;
    deviations[c] = Math.sqrt(squares / count) || 1;
  }
  return { means, deviations };
}

function normalized(
  features: VoiceFeatures,
  frames: Int32Array,
  { means, deviations }: Scale,
  mfcc: Float32Array,
): Float32Array {
  for (let i = 0; i < frames.length; i += 1)
    for (let c = 0; c < COEFFICIENTS; c += 1)
      mfcc[i * COEFFICIENTS + c] =
        (features.coefficient(frames[i] as number, c) - (means[c] as number)) / (deviations[c] as number);
  return mfcc;
}
