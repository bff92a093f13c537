import type { Segment, Transcript, Utterance } from '@call-analytics/calls';
import type { CutOff } from '../decode/decode.ts';
import type { Heard, Piece } from '../plan/planner.ts';
import { withoutInventions } from './invented.ts';

export interface Answered {
  piece: Omit<Piece, 'samples'>;
  segment: Segment;
}

type Dropped = Transcript['audio']['dropped'][number];

/** Shorter silence is part of talking. */
const SILENCE_MS = 1_000;
/** A second voice is a person when it says something and is heard for this long, or for this share of the talking. */
const SECOND_PERSON_SECONDS = 1;
const SECOND_PERSON_SHARE = 0.02;

/**
 * Joins the answers for all pieces into the transcript.
 * @param answered in any order
 * @param cutOff how the recording ends before its time, null when it does not
 */
export function join(
  heard: Heard,
  answered: readonly Answered[],
  engine: { name: string; model: string },
  cutOff: CutOff | null = null,
): Transcript {
  const { utterances, dropped } = said(answered);
  const bySpeaker = speakersAreChannels(heard, answered, utterances);
  const { channels, all } = heard.speechSeconds;
  return {
    language: mostSpoken(answered),
    utterances: bySpeaker ? utterances : utterances.map((utterance) => ({ ...utterance, speaker: null })),
    speakersBy: bySpeaker ? 'channels' : 'nothing',
    engine: { name: engine.name, model: engine.model },
    audio: {
      seconds: heard.seconds,
      channels: heard.channels,
      coveredSeconds: answered.reduce((sum, { piece }) => sum + piece.endMs - piece.startMs, 0) / 1000,
      speechSeconds: bySpeaker ? channels : [all],
      anySpeechSeconds: all,
      cutOff,
      dropped: [...silences(heard, answered), ...dropped].sort((a, b) => a.startMs - b.startMs),
    },
  };
}

function said(answered: readonly Answered[]): { utterances: Utterance[]; dropped: Dropped[] } {
  const utterances: Utterance[] = [];
  const dropped: Dropped[] = [];
  for (const { piece, segment } of answered) {
    for (const original of segment.utterances) {
      const { utterance, invention } = withoutInventions(original, piece);
      if (utterance !== null) utterances.push(utterance);
      if (invention !== null) dropped.push({ startMs: original.startMs, endMs: original.endMs, reason: invention });
    }
  }
  utterances.sort((a, b) => a.startMs - b.startMs || (a.speaker ?? 0) - (b.speaker ?? 0));
  return { utterances, dropped };
}

/** Channels are people when two of them talk, and most of the recording was kept apart. A lone voice on one channel may be two people on one line. */
function speakersAreChannels(heard: Heard, answered: readonly Answered[], utterances: readonly Utterance[]): boolean {
  const { channels } = heard.speechSeconds;
  const apart = channels.reduce((sum, seconds) => sum + seconds, 0);
  const mixed =
    answered.filter(({ piece }) => piece.channel === null).reduce((sum, { piece }) => sum + piece.speechMs, 0) / 1000;
  const least = Math.min(SECOND_PERSON_SECONDS, apart * SECOND_PERSON_SHARE);
  const people = channels.filter(
    (seconds, channel) => seconds > least && utterances.some(({ speaker }) => speaker === channel),
  );
  return people.length > 1 && apart > mixed;
}

/** The language of most of the text. */
function mostSpoken(answered: readonly Answered[]): string | null {
  const letters = new Map<string, number>();
  for (const { segment } of answered) {
    if (segment.language === null) continue;
    const length = segment.utterances.reduce((sum, { text }) => sum + text.length, 0);
    letters.set(segment.language, (letters.get(segment.language) ?? 0) + length);
  }
  const [most] = [...letters].filter(([, length]) => length > 0).sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? null;
}

/** Where nothing was given to the engine. */
function silences(heard: Heard, answered: readonly Answered[]): Dropped[] {
  const pieces = answered.map(({ piece }) => piece).sort((a, b) => a.startMs - b.startMs);
  const gaps: Dropped[] = [];
  let covered = 0;
  const gapUntil = (startMs: number) => {
    if (startMs - covered >= SILENCE_MS) gaps.push({ startMs: covered, endMs: startMs, reason: 'silence' });
  };
  for (const { startMs, endMs } of pieces) {
    gapUntil(startMs);
    covered = Math.max(covered, endMs);
  }
  const end = Math.round(heard.seconds * 1000);
  if (pieces.length === 0 && end > 0) return [{ startMs: 0, endMs: end, reason: 'silence' }];
  gapUntil(end);
  return gaps;
}
