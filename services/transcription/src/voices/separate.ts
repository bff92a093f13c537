import type { Voices } from '../plan/planner.ts';
import type { VoiceFeatures } from './features.ts';
import type { Blocks } from './models.ts';
import {
  agreement,
  LEARN_FRAMES,
  type Modeled,
  modeled,
  type Outcome,
  type Parting,
  parted,
  refine,
  SEVERAL,
} from './parts.ts';
import { findSpeech, partOf, type Run, type Speech } from './speech.ts';
import { stretchesOf } from './turns.ts';

/** Voices are learned from at most four minutes of speech, spread over the recording, so that hours cost little. */
const CHUNK_FRAMES = 2_000;
const MOST_VOICES = 6;
/** With less evidence a voice is surely one. */
const LEAST_DOUBT = 0.13;
/** Clusters this separate are several voices, also when three ways to find them disagree: there are more than three. */
const SEPARATE = 0.55;
/** With less evidence, and clusters closer than that, the recording is of one voice. */
const ONE = 0.08;

/**
 * Parts the speech in two or three voices, then each voice again while there is evidence that it is several.
 * @returns who speaks when; null when there is too little speech to tell
 */
export function separateVoices(features: VoiceFeatures): Voices | null {
  const speech = findSpeech(features);
  const runs = spread(speech);
  const isWhole = runs.length === speech.runs.length;
  const sample = isWhole ? speech : partOf(speech, runs);
  const first = parted(sample);
  if (first === null) return null;
  const model = modeled(sample);
  let found = first.outcome;
  let doubt = 0;
  const isOne = first.evidence < ONE && first.separation < SEPARATE;
  while (!isOne) {
    const voices = found.scores.length;
    const several = found.scores.map((_, voice) =>
      parted(partOf(sample, runsOf(model.blocks, found, [voice])), {
        least: LEAST_DOUBT,
        most: MOST_VOICES + 1 - voices,
      }),
    );
    const evidence = several.map((parting) => parting?.evidence ?? 0);
    doubt = Math.max(...evidence);
    const isMixed = (parting: Parting | null) => (parting?.separation ?? 0) >= SEPARATE;
    const voice = doubt >= SEVERAL ? evidence.indexOf(doubt) : several.findIndex(isMixed);
    const parting = several[voice];
    if (parting == null) break;
    found = refine(model, splitUp(model, found, voice, parting.outcome), voices + parting.voices - 1);
  }
  const isFirst = isOne || (found === first.outcome && first.voices === 2);
  const apart = sureOf(isFirst ? first.evidence : leastApart(model, found), 0.19);
  const confidence = apart * (1 - sureOf(doubt, SEVERAL));
  if (isWhole) return { confidence, stretches: stretchesOf(features, model.blocks, found) };
  const voiceAt = byFrame(features.frames, sample, found);
  const start = Int8Array.from(speech.frames, (frame) => voiceAt[frame] as number);
  const whole = modeled(speech);
  return {
    confidence,
    stretches: stretchesOf(features, whole.blocks, refine(whole, start, found.scores.length, 2)),
  };
}

/** @returns runs of speech of at most LEARN_FRAMES, in chunks from all over the recording */
function spread({ runs, frames }: Speech): Run[] {
  const share = LEARN_FRAMES / frames.length;
  if (share >= 1) return runs;
  return runs.filter(({ from }) => {
    const chunk = Math.floor(from / CHUNK_FRAMES);
    return Math.floor((chunk + 1) * share) > Math.floor(chunk * share);
  });
}

/** The labels of all packed frames, after one voice is parted. */
function splitUp({ speech, blocks }: Modeled, found: Outcome, voice: number, parting: Outcome): Int8Array {
  const added = found.scores.length - 1;
  const labels = found.ofFrame.slice();
  let own = 0;
  const { frames } = partOf(speech, runsOf(blocks, found, [voice]));
  for (let i = 0; i < labels.length && own < frames.length; i += 1) {
    if (speech.frames[i] !== frames[own]) continue;
    const label = parting.ofFrame[own] as number;
    if (label > 0) labels[i] = added + label;
    own += 1;
  }
  return labels;
}

/** @returns for the two voices that are hardest to tell apart: the evidence of two, and of their having been found */
function leastApart({ speech, blocks }: Modeled, found: Outcome): number {
  const voiceAt = byFrame((speech.frames.at(-1) ?? 0) + 1, speech, found);
  const present = found.scores.map((_, voice) => voice).filter((voice) => found.labels.includes(voice));
  const pairs = present.flatMap((a) => present.filter((b) => b > a).map((b) => [a, b] as const));
  const evidence = pairs.map(([a, b]) => {
    const part = partOf(speech, runsOf(blocks, found, [a, b]));
    const pair = parted(part, { most: 2 });
    const labels = Int8Array.from(part.frames, (frame) => (voiceAt[frame] === a ? 0 : 1));
    return pair === null ? 0 : pair.evidence * agreement(pair.outcome.ofFrame, labels, 2);
  });
  return pairs.length === 0 ? 0 : Math.min(...evidence);
}

/** @returns the voice of each frame of the recording; -1 where none was found */
function byFrame(count: number, { frames }: Speech, { ofFrame }: Outcome): Int8Array {
  const voices = new Int8Array(count).fill(-1);
  frames.forEach((frame, i) => {
    voices[frame] = ofFrame[i] as number;
  });
  return voices;
}

/** @returns the runs in which one of the voices speaks */
function runsOf(blocks: Blocks, { labels }: Outcome, voices: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (let block = 0; block < blocks.count; block += 1) {
    if (!voices.includes(labels[block] as number)) continue;
    const from = blocks.from[block] as number;
    const to = blocks.to[block] as number;
    const last = runs.at(-1);
    if (last?.to === from && blocks.begins[block] === 0) last.to = to;
    else runs.push({ from, to });
  }
  return runs;
}

/** @returns 0 to 1; half of it at `even` */
function sureOf(evidence: number, even: number): number {
  return 1 / (1 + Math.exp(-25 * (evidence - even)));
}
