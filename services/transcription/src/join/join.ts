import type { Segment as TranscribedSegment, Transcript, Utterance } from '@call-analytics/calls';
import type { CutOff } from '../decode/decode.ts';
import { baseOf, tellsLanguage, withoutForeignWords } from '../engines/language.ts';
import type { AudioSegment, RecordingStats, Voices } from '../plan/planner.ts';
import { coverageOf, type HeardSegment } from './coverage.ts';
import { withoutHallucinations } from './hallucinations.ts';

/** A planned segment and what the engine answered for it. */
export interface SegmentResult {
  plan: Omit<AudioSegment, 'samples'>;
  result: TranscribedSegment;
}

type Dropped = Transcript['audio']['dropped'][number];
type Said = Utterance & { voice?: NonNullable<AudioSegment['voice']> };

/** Shorter silence is part of talking. */
const SILENCE_MS = 1_000;
/** A second voice counts as a person when it has words and lasts this long, or has this share of the speech. */
const SECOND_PERSON_SECONDS = 1;
const SECOND_PERSON_SHARE = 0.02;
/** A second language is spoken when so many long segments, and so much of their speech, were heard in it. */
const SECOND_LANGUAGE = { segments: 2, speechMs: 12_000 };

/**
 * Joins the results of all segments into the transcript.
 * @param results in any order
 * @param cutOff how the recording ends early, null when it does not
 * @param language the language that was settled while transcribing, null when none was
 * @param voices how the voices of a shared channel were told apart, null when they were not
 */
export function joinSegments(
  stats: RecordingStats,
  results: readonly SegmentResult[],
  engine: { name: string; model: string },
  {
    cutOff = null,
    language = null,
    voices = null,
  }: { cutOff?: CutOff | null; language?: string | null; voices?: Pick<Voices, 'confidence'> | null } = {},
): Transcript {
  const main = language ?? mostSpoken(results);
  const segments = inTheirLanguage(results).map((segment) => heardIn(segment, main));
  const utterances: Said[] = segments.flatMap(({ plan, utterances }) =>
    utterances.map((said) => (plan.voice === undefined ? said : { ...said, voice: plan.voice })),
  );
  utterances.sort((a, b) => a.startMs - b.startMs || (a.speaker ?? 0) - (b.speaker ?? 0));
  const { coverage, unanswered } = coverageOf(stats.seconds, segments);
  const dropped = [...silences(stats, results), ...unanswered, ...segments.flatMap((segment) => segment.dropped)];
  const speakersBy = tellSpeakers(stats, results, utterances, voices);
  const { channels, all, voices: ofVoices = [] } = stats.speechSeconds;
  return {
    language: main,
    utterances: utterances.map(({ voice, ...utterance }) => ({
      ...utterance,
      speaker:
        speakersBy === 'channels' ? utterance.speaker : speakersBy === 'voices' ? (voice?.speaker ?? null) : null,
      ...(speakersBy === 'voices' && voice !== undefined ? { confidence: rounded(voice.confidence) } : {}),
    })),
    speakersBy,
    ...(voices === null || speakersBy === 'channels' ? {} : { speakersConfidence: rounded(voices.confidence) }),
    engine: { name: engine.name, model: engine.model },
    audio: {
      seconds: stats.seconds,
      channels: stats.channels,
      coveredSeconds: results.reduce((sum, { plan }) => sum + plan.endMs - plan.startMs, 0) / 1000,
      speechSeconds: speakersBy === 'channels' ? channels : speakersBy === 'voices' ? ofVoices : [all],
      anySpeechSeconds: all,
      cutOff,
      overlaps: stats.overlaps,
      coverage,
      dropped: dropped.sort((a, b) => a.startMs - b.startMs),
    },
  };
}

/** Takes the answers in a second language where there is enough evidence that it is spoken. */
function inTheirLanguage(results: readonly SegmentResult[]): readonly SegmentResult[] {
  const evidence = new Map<string, { segments: number; speechMs: number }>();
  for (const { plan, result } of results) {
    if (result.other === undefined || !tellsLanguage(plan.speechMs)) continue;
    const base = baseOf(result.other.language);
    const { segments, speechMs } = evidence.get(base) ?? { segments: 0, speechMs: 0 };
    evidence.set(base, { segments: segments + 1, speechMs: speechMs + plan.speechMs });
  }
  return results.map(({ plan, result }) => {
    const { segments = 0, speechMs = 0 } = evidence.get(baseOf(result.other?.language ?? '')) ?? {};
    const spoken = segments >= SECOND_LANGUAGE.segments && speechMs >= SECOND_LANGUAGE.speechMs;
    return spoken ? { plan, result: { ...result, ...result.other } } : { plan, result };
  });
}

/** Leaves out what nobody said. */
function heardIn({ plan, result }: SegmentResult, main: string | null): HeardSegment {
  const utterances: Utterance[] = [];
  const dropped: Dropped[] = [];
  const language = result.toldLanguage === undefined ? main : result.language;
  const isSecond = language !== null && main !== null && baseOf(language) !== baseOf(main);
  for (const original of result.utterances) {
    const { startMs, endMs } = original;
    const text = language === null ? original.text : withoutForeignWords(original.text, language);
    if (text !== original.text) dropped.push({ startMs, endMs, reason: 'foreign_script' });
    if (text === '') continue;
    const level = { ...plan, speechMs: speechUnder(original, plan) };
    const { utterance, reason } = withoutHallucinations({ ...original, text }, level);
    if (reason !== null) dropped.push({ startMs, endMs, reason });
    if (utterance !== null) utterances.push(isSecond ? { ...utterance, language } : utterance);
  }
  return { plan, result, utterances, dropped };
}

/** The speech within the times of an utterance, or near them: an engine without exact times errs by that much. */
const NEAR_MS = 500;

function speechUnder({ startMs, endMs }: Utterance, { speech }: SegmentResult['plan']): number {
  return speech.reduce((sum, stretch) => {
    const shared = Math.min(endMs + NEAR_MS, stretch.endMs) - Math.max(startMs - NEAR_MS, stretch.startMs);
    return sum + Math.max(0, shared);
  }, 0);
}

/** By voice below this, all lines of one person are more likely than two people. */
const LEAST_SURE = 0.05;

function tellSpeakers(
  stats: RecordingStats,
  results: readonly SegmentResult[],
  utterances: readonly Said[],
  voices: Pick<Voices, 'confidence'> | null,
): 'channels' | 'voices' | 'nothing' {
  if (speakersAreChannels(stats, results, utterances)) return 'channels';
  const speakers = new Set(utterances.flatMap(({ voice }) => (voice === undefined ? [] : [voice.speaker])));
  return voices !== null && voices.confidence >= LEAST_SURE && speakers.size > 1 ? 'voices' : 'nothing';
}

function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100;
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
