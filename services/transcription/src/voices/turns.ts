import type { Voices } from '../plan/planner.ts';
import { FRAME_MS, type VoiceFeatures } from './features.ts';
import type { Blocks } from './models.ts';
import type { Run } from './speech.ts';

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
