import { type Segment as TranscribedSegment, type Transcript, type Utterance, withText } from '@call-analytics/calls';
import type { CutOff } from '../decode/decode.ts';
import { baseOf, tellsLanguage, withoutForeignWords } from '../engines/language.ts';
import { personOf } from '../pack.ts';
import { FRAME_MS, type Stretch } from '../plan/frames.ts';
import type { AudioSegment, RecordingStats, Voices } from '../plan/planner.ts';
import type { LabeledSpeech, Linked } from '../voices/link.ts';
import { withoutHallucinations } from './hallucinations.ts';
import { inSentences } from './sentences.ts';

/** A planned segment and what the engine answered for it. */
export interface SegmentResult {
  plan: Omit<AudioSegment, 'samples'>;
  result: TranscribedSegment;
  /** Silence in it that was not sent, in order. */
  omitted?: readonly Stretch[];
}

type Dropped = Transcript['audio']['dropped'][number];
type Said = Utterance & { voice?: NonNullable<AudioSegment['voice']> };

/** A segment with what remains of its answer. */
interface HeardSegment extends SegmentResult {
  utterances: readonly Utterance[];
  dropped: readonly Dropped[];
}

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
 * @param linked the person of each of `labelsIn(results)`, null when the engine named no speakers
 */
export function joinSegments(
  stats: RecordingStats,
  results: readonly SegmentResult[],
  engine: { name: string; model: string },
  {
    cutOff = null,
    language = null,
    voices = null,
    linked = null,
  }: {
    cutOff?: CutOff | null;
    language?: string | null;
    voices?: Pick<Voices, 'confidence'> | null;
    linked?: Linked | null;
  } = {},
): Transcript {
  const main = language ?? mostSpoken(results);
  const paces = pacesOf(results);
  const segments = inTheirLanguage(results).map((segment) => heardIn(segment, main, paces));
  const said: Said[] = segments.flatMap(({ plan, utterances }) =>
    utterances.map((each) => (plan.voice === undefined ? each : { ...each, voice: plan.voice })),
  );
  said.sort((a, b) => a.startMs - b.startMs || (a.speaker ?? 0) - (b.speaker ?? 0));
  const byEngine = linked === null ? null : labeledBy(linked, labelsIn(results), said);
  const { coverage, unanswered } = coverageOf(stats.seconds, segments);
  const dropped = [...silences(stats, results), ...unanswered, ...segments.flatMap((segment) => segment.dropped)];
  const by = tellSpeakers(stats, results, said, voices);
  const speakersBy = by !== 'channels' && byEngine !== null ? 'engine' : by;
  const told = said.map(({ voice, label: _, ...each }, index): Utterance => {
    if (speakersBy === 'channels') return each;
    const person = speakersBy === 'engine' ? byEngine?.[index] : speakersBy === 'voices' ? voice : undefined;
    return { ...each, speaker: person?.speaker ?? null, ...(person && { confidence: rounded(person.confidence) }) };
  });
  const utterances = speakersBy === 'nothing' ? told : inSentences(told);
  const { channels, all, voices: ofVoices = [] } = stats.speechSeconds;
  const seconds = { channels, voices: ofVoices, engine: secondsOf(told), nothing: [all] };
  const confidence = speakersBy === 'engine' ? byEngine?.[0]?.confidence : voices?.confidence;
  return {
    language: main,
    utterances,
    speakersBy,
    ...(confidence === undefined || speakersBy === 'channels' ? {} : { speakersConfidence: rounded(confidence) }),
    engine: { name: engine.name, model: engine.model },
    audio: {
      seconds: stats.seconds,
      channels: stats.channels,
      coveredSeconds: results.flatMap(sentOf).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000,
      speechSeconds: seconds[speakersBy],
      anySpeechSeconds: all,
      cutOff,
      overlaps: stats.overlaps,
      coverage,
      dropped: dropped.sort((a, b) => a.startMs - b.startMs),
    },
  };
}

/** @returns the labels that the engine gave in each request, with the speech under them */
export function labelsIn(results: readonly SegmentResult[]): (LabeledSpeech & { speaker: string })[] {
  const labels = new Map<string, LabeledSpeech & { speaker: string; stretches: Stretch[] }>();
  for (const { label, startMs, endMs } of results.flatMap(({ result }) => result.utterances)) {
    if (label === undefined) continue;
    const key = JSON.stringify([label.request, label.speaker]);
    const known = labels.get(key);
    if (known === undefined) labels.set(key, { ...label, stretches: [{ startMs, endMs }] });
    else known.stretches.push({ startMs, endMs });
  }
  return [...labels.values()];
}

/** Engines do not say how sure they are of the speakers. */
const ENGINE_SURE = 0.9;

/** @returns who says each utterance; one without a label continues the one before. Null with fewer than two people */
function labeledBy(
  { speakers, confidence }: Linked,
  labels: readonly { request: string; speaker: string }[],
  said: readonly Said[],
): { speaker: number; confidence: number }[] | null {
  const people = said.map(({ label }) => {
    const at = labels.findIndex(({ request, speaker }) => request === label?.request && speaker === label.speaker);
    return speakers[at] ?? null;
  });
  const order = [...new Set(people.filter((person) => person !== null))];
  if (order.length < 2) return null;
  let last = 0;
  return people.map((person) => {
    last = person === null ? last : order.indexOf(person);
    return { speaker: last, confidence: ENGINE_SURE * confidence };
  });
}

/** Of each speaker. */
function secondsOf(utterances: readonly Utterance[]): number[] {
  const seconds: number[] = [];
  for (const { speaker, startMs, endMs } of utterances)
    if (speaker !== null) seconds[speaker] = (seconds[speaker] ?? 0) + (endMs - startMs) / 1000;
  return Array.from(seconds, (each = 0) => each);
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

/** A person's pace is the median of at least so many lines of at least so many words. */
const PACE = { lines: 5, words: 6 };

/** @returns how fast each person usually talks, in words for each second of measured speech */
function pacesOf(results: readonly SegmentResult[]): ReadonlyMap<string, number> {
  const paces = new Map<string, number[]>();
  for (const { plan, result } of results)
    for (const said of result.utterances) {
      const words = said.text.split(/\s+/).length;
      const speechMs = speechUnder(said, plan);
      if (words < PACE.words || speechMs === 0) continue;
      const own = paces.get(personOf(plan)) ?? [];
      own.push((1000 * words) / speechMs);
      paces.set(personOf(plan), own);
    }
  return new Map(
    [...paces]
      .filter(([, own]) => own.length >= PACE.lines)
      .map(([person, own]) => [person, own.sort((a, b) => a - b)[Math.floor(own.length / 2)] ?? 0]),
  );
}

/** Leaves out what nobody said. */
function heardIn(
  { plan, result }: SegmentResult,
  main: string | null,
  paces: ReadonlyMap<string, number>,
): HeardSegment {
  const utterances: Utterance[] = [];
  const dropped: Dropped[] = [];
  const language = result.toldLanguage === undefined ? main : result.language;
  const isSecond = language !== null && main !== null && baseOf(language) !== baseOf(main);
  for (const original of result.utterances) {
    const { startMs, endMs } = original;
    const text = language === null ? original.text : withoutForeignWords(original.text, language);
    if (text !== original.text) dropped.push({ startMs, endMs, reason: 'foreign_script' });
    if (text === '') continue;
    const level = { ...plan, speechMs: speechUnder(original, plan), pace: paces.get(personOf(plan)) ?? null };
    const written = text === original.text ? original : withText(original, text);
    const { utterance, reason } = withoutHallucinations(written, level);
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
const MIN_VOICE_CONFIDENCE = 0.05;

function tellSpeakers(
  stats: RecordingStats,
  results: readonly SegmentResult[],
  utterances: readonly Said[],
  voices: Pick<Voices, 'confidence'> | null,
): 'channels' | 'voices' | 'nothing' {
  if (speakersAreChannels(stats, results, utterances)) return 'channels';
  const speakers = new Set(utterances.flatMap(({ voice }) => (voice === undefined ? [] : [voice.speaker])));
  return voices !== null && voices.confidence >= MIN_VOICE_CONFIDENCE && speakers.size > 1 ? 'voices' : 'nothing';
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
  const sent = results.flatMap(sentOf).sort((a, b) => a.startMs - b.startMs);
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

function sentOf({ plan, omitted = [] }: SegmentResult): Stretch[] {
  const begins = [plan.startMs, ...omitted.map(({ endMs }) => endMs)];
  return begins.map((startMs, index) => ({ startMs, endMs: omitted[index]?.startMs ?? plan.endMs }));
}

/** What a frame holds; 0 is silence. Where channels differ, the higher one counts. */
const UNANSWERED = 1;
const MUSIC = 2;
const HEARD = 3;

/** A shorter pause belongs to the speech around it. */
const PAUSE_MS = 500;
/** Shorter sounds without words are breath and noise. */
const MIN_LOST_MS = 1_000;

/**
 * Accounts for each second of the recording.
 * @returns the seconds by kind, which add up to all, and the stretches of a second and more that have no words
 */
function coverageOf(
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
      if (heard.length > 0 || left.length > 0 || endMs - startMs < MIN_LOST_MS) continue;
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
