import type { Segment as TranscribedSegment, Transcript, Utterance } from '@call-analytics/calls';
import type { CutOff } from '../decode/decode.ts';
import type { AudioSegment, RecordingStats } from '../plan/planner.ts';
import { withoutHallucinations } from './hallucinations.ts';

/** A planned segment and what the engine answered for it. */
export interface SegmentResult {
  plan: Omit<AudioSegment, 'samples'>;
  result: TranscribedSegment;
}

type Dropped = Transcript['audio']['dropped'][number];

/** Shorter silence is part of talking. */
const SILENCE_MS = 1_000;
/** A second voice counts as a person when it has words and lasts this long, or has this share of the speech. */
const SECOND_PERSON_SECONDS = 1;
const SECOND_PERSON_SHARE = 0.02;

/**
 * Joins the results of all segments into the transcript.
 * @param results in any order
 * @param cutOff how the recording ends early, null when it does not
 */
export function joinSegments(
  stats: RecordingStats,
  results: readonly SegmentResult[],
  engine: { name: string; model: string },
  cutOff: CutOff | null = null,
): Transcript {
  const { utterances, dropped } = utterancesOf(results);
  const bySpeaker = speakersAreChannels(stats, results, utterances);
  const { channels, all } = stats.speechSeconds;
  return {
    language: mostSpoken(results),
    utterances: bySpeaker ? utterances : utterances.map((utterance) => ({ ...utterance, speaker: null })),
    speakersBy: bySpeaker ? 'channels' : 'nothing',
    engine: { name: engine.name, model: engine.model },
    audio: {
      seconds: stats.seconds,
      channels: stats.channels,
      coveredSeconds: results.reduce((sum, { plan }) => sum + plan.endMs - plan.startMs, 0) / 1000,
      speechSeconds: bySpeaker ? channels : [all],
      anySpeechSeconds: all,
      cutOff,
      dropped: [...silences(stats, results), ...dropped].sort((a, b) => a.startMs - b.startMs),
    },
  };
}

function utterancesOf(results: readonly SegmentResult[]): { utterances: Utterance[]; dropped: Dropped[] } {
  const utterances: Utterance[] = [];
  const dropped: Dropped[] = [];
  for (const { plan, result } of results) {
    for (const original of result.utterances) {
      const { utterance, reason } = withoutHallucinations(original, plan);
      if (utterance !== null) utterances.push(utterance);
      if (reason !== null) dropped.push({ startMs: original.startMs, endMs: original.endMs, reason });
    }
  }
  utterances.sort((a, b) => a.startMs - b.startMs || (a.speaker ?? 0) - (b.speaker ?? 0));
  return { utterances, dropped };
}

/**
 * Channels are people when two of them talk and most of the recording was kept apart. A single voice on one channel may
 * be two people on one line.
 */
function speakersAreChannels(
  stats: RecordingStats,
  results: readonly SegmentResult[],
  utterances: readonly Utterance[],
): boolean {
  const { channels } = stats.speechSeconds;
  const apart = channels.reduce((sum, seconds) => sum + seconds, 0);
  const mixed =
    results.filter(({ plan }) => plan.channel === null).reduce((sum, { plan }) => sum + plan.speechMs, 0) / 1000;
  const least = Math.min(SECOND_PERSON_SECONDS, apart * SECOND_PERSON_SHARE);
  const people = channels.filter(
    (seconds, channel) => seconds > least && utterances.some(({ speaker }) => speaker === channel),
  );
  return people.length > 1 && apart > mixed;
}

/** The language of most of the text. */
function mostSpoken(results: readonly SegmentResult[]): string | null {
  const letters = new Map<string, number>();
  for (const { result } of results) {
    if (result.language === null) continue;
    const length = result.utterances.reduce((sum, { text }) => sum + text.length, 0);
    letters.set(result.language, (letters.get(result.language) ?? 0) + length);
  }
  const [most] = [...letters].filter(([, length]) => length > 0).sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? null;
}

/** Where nothing was sent to the engine. */
function silences(stats: RecordingStats, results: readonly SegmentResult[]): Dropped[] {
  const sent = results.map(({ plan }) => plan).sort((a, b) => a.startMs - b.startMs);
  const gaps: Dropped[] = [];
  let covered = 0;
  const gapUntil = (startMs: number) => {
    if (startMs - covered >= SILENCE_MS) gaps.push({ startMs: covered, endMs: startMs, reason: 'silence' });
  };
  for (const { startMs, endMs } of sent) {
    gapUntil(startMs);
    covered = Math.max(covered, endMs);
  }
  const end = Math.round(stats.seconds * 1000);
  if (sent.length === 0 && end > 0) return [{ startMs: 0, endMs: end, reason: 'silence' }];
  gapUntil(end);
  return gaps;
}
