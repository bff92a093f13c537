import type { Transcript, Utterance } from '@call-analytics/calls';
import { FRAME_MS } from '../plan/frames.ts';
import type { SegmentResult } from './join.ts';

type Dropped = Transcript['audio']['dropped'][number];

/** A segment with what remains of its answer. */
export interface HeardSegment extends SegmentResult {
  utterances: readonly Utterance[];
  dropped: readonly Dropped[];
}

/** What a frame holds; 0 is silence. Where channels differ, the higher one counts. */
const UNANSWERED = 1;
const MUSIC = 2;
const HEARD = 3;

/** A shorter pause belongs to the speech around it. */
const PAUSE_MS = 500;
/** Engines without exact times err by this much. */
const NEAR_MS = 500;
/** Shorter sounds without words are breath and noise. */
const LEAST_LOST_MS = 1_000;

/**
 * Accounts for each second of the recording.
 * @returns the seconds by kind, which add up to all, and the stretches of a second and more that have no words
 */
export function coverageOf(
  seconds: number,
  segments: readonly HeardSegment[],
): { coverage: NonNullable<Transcript['audio']['coverage']>; unanswered: Dropped[] } {
  const frames = new Uint8Array(Math.ceil((seconds * 1000) / FRAME_MS));
  const unanswered: Dropped[] = [];
  const mark = (fromMs: number, toMs: number, kind: number) => {
    const to = Math.min(frames.length, Math.round(toMs / FRAME_MS));
    for (let frame = Math.max(0, Math.round(fromMs / FRAME_MS)); frame < to; frame += 1)
      frames[frame] = Math.max(frames[frame] as number, kind);
  };
  for (const { plan, result, utterances, dropped } of segments) {
    for (const { startMs, endMs } of bridged(plan.speech)) {
      const under = ({ startMs: from, endMs: to }: { startMs: number; endMs: number }) =>
        from - NEAR_MS < endMs && to + NEAR_MS > startMs;
      const left = dropped.filter(under);
      mark(startMs, endMs, left.some(({ reason }) => reason === 'sounds_as_words') ? MUSIC : UNANSWERED);
      const heard = utterances.filter(under);
      for (const said of heard)
        mark(Math.max(startMs, said.startMs - NEAR_MS), Math.min(endMs, said.endMs + NEAR_MS), HEARD);
      if (heard.length > 0 || left.length > 0 || endMs - startMs < LEAST_LOST_MS) continue;
      unanswered.push({ startMs, endMs, reason: result.unanswered ?? 'no_words' });
    }
  }
  const secondsOf = (kind: number) => {
    let count = 0;
    for (const frame of frames) if (frame === kind) count += 1;
    return (count * FRAME_MS) / 1000;
  };
  const [heard, music, without] = [secondsOf(HEARD), secondsOf(MUSIC), secondsOf(UNANSWERED)];
  // The last frame may be cut off by the end.
  const silent = Math.max(0, seconds - heard - music - without);
  return { coverage: { heard, silent, music, unanswered: without }, unanswered };
}

function bridged(speech: SegmentResult['plan']['speech']): { startMs: number; endMs: number }[] {
  const joined: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of speech) {
    const last = joined.at(-1);
    if (last !== undefined && startMs - last.endMs <= PAUSE_MS) last.endMs = endMs;
    else joined.push({ startMs, endMs });
  }
  return joined;
}
