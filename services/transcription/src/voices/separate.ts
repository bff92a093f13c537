import type { Voices } from '../plan/planner.ts';
import { FRAME_MS, type VoiceFeatures } from './features.ts';
import type { Blocks } from './models.ts';
import {
  agreement,
  LEARN_FRAMES,
  type Modeled,
  modeled,
  type Outcome,
  refine,
  SEVERAL,
  splitVoices,
  type VoiceSplit,
} from './parts.ts';
import { type FoundSpeech, findSpeech, packed, partOf, type Run, type Speech, within } from './speech.ts';
import { refineWhole } from './whole.ts';

/** Voices are learned from at most four minutes of speech, spread over the recording, so that hours cost little. */
const CHUNK_FRAMES = 2_000;
export const MAX_VOICES = 6;
/** With less evidence a voice is surely one. */
const MIN_DOUBT = 0.13;
/** Clusters this separate are several voices, also when three ways to find them disagree: there are more than three. */
const SEPARATE = 0.55;
/** With less evidence, and clusters closer than that, the recording is of one voice. */
const ONE = 0.08;

/**
 * Splits the speech into two or three voices, then each voice again while there is evidence that it is several.
 * @returns who speaks when; null when there is too little speech to tell
 */
export function separateVoices(features: VoiceFeatures): Voices | null {
  const speech = findSpeech(features);
  const sample = sampleOf(features, speech);
  const first = splitVoices(sample);
  if (first === null) return null;
  const model = modeled(sample);
  let found = first.outcome;
  let doubt = 0;
  const isOne = first.evidence < ONE && first.separation < SEPARATE;
  while (!isOne) {
    const voices = found.scores.length;
    const several = found.scores.map((_, voice) =>
      splitVoices(partOf(sample, runsOf(model.blocks, found, [voice])), {
        minEvidence: MIN_DOUBT,
        maxVoices: MAX_VOICES + 1 - voices,
      }),
    );
    const evidence = several.map((split) => split?.evidence ?? 0);
    doubt = Math.max(...evidence);
    const isMixed = (split: VoiceSplit | null) => (split?.separation ?? 0) >= SEPARATE;
    const voice = doubt >= SEVERAL ? evidence.indexOf(doubt) : several.findIndex(isMixed);
    const split = several[voice];
    if (split == null) break;
    found = refine(model, splitUp(model, found, voice, split.outcome), voices + split.voices - 1);
  }
  const isFirst = isOne || (found === first.outcome && first.voices === 2);
  const apart = confidenceOf(isFirst ? first.evidence : leastApart(model, found), 0.19);
  const confidence = apart * (1 - confidenceOf(doubt, SEVERAL));
  return { confidence, stretches: labelRecording(features, speech, model, found) };
}

/** @returns the speech that voices are learned from: at most LEARN_FRAMES, in chunks from all over the recording */
export function sampleOf(features: VoiceFeatures, speech: FoundSpeech): Speech {
  const share = LEARN_FRAMES / speech.frames.length;
  if (share >= 1) return packed(features, speech);
  const runs = speech.runs.filter(({ from }) => {
    const chunk = Math.floor(from / CHUNK_FRAMES);
    return Math.floor((chunk + 1) * share) > Math.floor(chunk * share);
  });
  return packed(features, within(speech.frames, runs));
}

/** @param found in the model of the sample @returns who speaks when in all of the recording */
export function labelRecording(
  features: VoiceFeatures,
  speech: FoundSpeech,
  model: Modeled,
  found: Outcome,
): Voices['stretches'] {
  if (model.speech.frames.length === speech.frames.length) return stretchesOf(features, model.blocks, found);
  const voiceAt = byFrame(features.frames, model.speech, found);
  const start = new Int8Array(speech.frames.length);
  for (let i = 0; i < start.length; i += 1) start[i] = voiceAt[speech.frames[i] as number] as number;
  const { blocks, outcome } = refineWhole(features, speech, start, found.scores.length, 2);
  return stretchesOf(features, blocks, outcome);
}

/** The labels of all packed frames, after one voice is split. */
function splitUp({ speech, blocks }: Modeled, found: Outcome, voice: number, split: Outcome): Int8Array {
  const added = found.scores.length - 1;
  const labels = found.ofFrame.slice();
  let own = 0;
  const { frames } = partOf(speech, runsOf(blocks, found, [voice]));
  for (let i = 0; i < labels.length && own < frames.length; i += 1) {
    if (speech.frames[i] !== frames[own]) continue;
    const label = split.ofFrame[own] as number;
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
    const pair = splitVoices(part, { maxVoices: 2 });
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
export function confidenceOf(evidence: number, even: number, slope = 25): number {
  return 1 / (1 + Math.exp(-slope * (evidence - even)));
}

/** A voice that says less than this inside the line of the other, without a pause, only assents. */
const BACKCHANNEL = 1_500 / FRAME_MS;
/** A change of voice is moved to the quietest moment this near. */
const SNAP = 150 / FRAME_MS;

interface Turn extends Run {
  voice: number;
  /** Whether it begins or ends a run. */
  begins: boolean;
  ends: boolean;
  likelihood: number;
  frames: number;
}

/** @param labels the voice of each block @param scores of each voice, the log-likelihood of each block */
export function stretchesOf(
  features: VoiceFeatures,
  blocks: Blocks,
  { labels, scores }: { labels: Int8Array; scores: readonly Float64Array[] },
): Voices['stretches'] {
  const turns = withoutBackchannels(turnsOf(blocks, labels, scores));
  const order = [...new Set(turns.map(({ voice }) => voice))];
  const changes = turns.map((turn, index) => {
    const before = turns[index - 1];
    if (before === undefined) return 0;
    return turn.begins
      ? quietest(features, before.to, turn.from)
      : quietest(features, turn.from - SNAP, turn.from + SNAP);
  });
  return turns.map(({ voice, likelihood, frames }, index) => {
    // In deviations: the frames of a turn are far from independent, so their sum would say too much.
    const z = Math.max(0, likelihood / Math.sqrt(Math.max(1, frames)));
    return {
      startMs: (changes[index] as number) * FRAME_MS,
      endMs: (changes[index + 1] ?? features.frames) * FRAME_MS,
      voice: order.indexOf(voice),
      confidence: 1 / (1 + 22 * z ** -2.1),
    };
  });
}

/** @returns the parts of runs with one voice */
function turnsOf(blocks: Blocks, labels: Int8Array, scores: readonly Float64Array[]): Turn[] {
  const frames = new Int32Array(blocks.count);
  for (const block of blocks.ofFrame) if (block >= 0) frames[block] = (frames[block] as number) + 1;
  const turns: Turn[] = [];
  for (let block = 0; block < blocks.count; block += 1) {
    const voice = labels[block] as number;
    const others = scores.filter((_, other) => other !== voice).map((score) => score[block] as number);
    const likelihood = ((scores[voice] as Float64Array)[block] as number) - Math.max(...others);
    const last = turns.at(-1);
    const to = blocks.to[block] as number;
    const begins = blocks.begins[block] === 1;
    if (last !== undefined && !begins && last.voice === voice) {
      last.to = to;
      last.likelihood += likelihood;
      last.frames += frames[block] as number;
      continue;
    }
    if (last !== undefined) last.ends = begins;
    turns.push({
      voice,
      from: blocks.from[block] as number,
      to,
      begins,
      ends: true,
      likelihood,
      frames: frames[block] as number,
    });
  }
  return turns;
}

function withoutBackchannels(turns: readonly Turn[]): Turn[] {
  const kept: Turn[] = [];
  for (let index = 0; index < turns.length; index += 1) {
    const turn = turns[index] as Turn;
    const last = kept.at(-1);
    if (last === undefined || last.ends) {
      kept.push({ ...turn });
      continue;
    }
    const returns = !turn.ends && turn.to - turn.from < BACKCHANNEL && turns[index + 1]?.voice === last.voice;
    if (!returns && turn.voice !== last.voice) {
      kept.push({ ...turn });
      continue;
    }
    last.to = turn.to;
    last.ends = turn.ends;
    if (turn.voice === last.voice) {
      last.likelihood += turn.likelihood;
      last.frames += turn.frames;
    }
  }
  return kept;
}

function quietest(features: VoiceFeatures, from: number, to: number): number {
  let best = Math.max(0, from);
  for (let frame = best; frame < Math.min(features.frames, to); frame += 1)
    if (features.db(frame) < features.db(best)) best = frame;
  return best;
}
