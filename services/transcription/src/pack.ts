import { packedTimes, type Segment as TranscribedSegment, type Utterance } from '@call-analytics/calls';
import type { EngineAnswer, SpeechEngine } from './engines/engine.ts';
import { baseOf, isForeign } from './engines/language.ts';
import {
  alignWords,
  fitTimes,
  type Sounding,
  type TimedText,
  timedTokens,
  withWholeSentences,
} from './join/fit-times.ts';
import { SAMPLE_RATE, type Stretch } from './plan/frames.ts';
import { type AudioSegment, PLAN_VERSION } from './plan/planner.ts';

/** Segments of one person in one request, in order. Each brings the silence that was recorded around it. */
export interface Pack {
  segments: readonly AudioSegment[];
  samples: Int16Array;
  /** What was put together, in order. */
  pieces: readonly Piece[];
}

/** A part of a segment: its index, where the part begins in the samples, and where in the segment. In ms. */
interface Piece {
  segment: number;
  sentMs: number;
  startMs: number;
}

/** What is sent of a silence on either side. */
const KEPT_MS = 40;
/** A shorter silence is a stop between words, and is sent. */
const MIN_OMITTED_MS = 220;
/** A shorter silence does not part speech. */
const MIN_PAUSE_MS = 300;
/** Aligning takes a time that grows with the square of the words; nobody says so many in one request. */
const MAX_ALIGNED_WORDS = 1_000;

/** @returns the silences of a segment without their edges: an engine that gives the times of words needs no more */
export function omittedOf({ startMs, endMs, silences }: AudioSegment): Stretch[] {
  return silences
    .map((silence) => ({
      startMs: silence.startMs === startMs ? startMs : silence.startMs + KEPT_MS,
      endMs: silence.endMs === endMs ? endMs : silence.endMs - KEPT_MS,
    }))
    .filter((omitted) => omitted.endMs - omitted.startMs >= MIN_OMITTED_MS);
}

/**
 * @param options.gapMs silence before, between and after the segments
 * @param options.omitted what is left out of a segment
 */
export function packOf(
  segments: readonly AudioSegment[],
  { gapMs = 0, omitted = () => [] }: { gapMs?: number; omitted?: (segment: AudioSegment) => readonly Stretch[] } = {},
): Pack {
  const pieces: (Piece & { audio: Int16Array })[] = [];
  let sentMs = gapMs;
  for (const [index, segment] of segments.entries()) {
    let startMs = 0;
    for (const cut of [...omitted(segment), { startMs: segment.endMs, endMs: segment.endMs }]) {
      const toMs = cut.startMs - segment.startMs;
      const audio = segment.samples.subarray(samplesIn(startMs), samplesIn(toMs));
      if (toMs > startMs) pieces.push({ segment: index, sentMs, startMs, audio });
      sentMs += toMs - startMs;
      startMs = cut.endMs - segment.startMs;
    }
    sentMs += gapMs;
  }
  const samples = new Int16Array(samplesIn(sentMs));
  for (const { audio, sentMs: at } of pieces) samples.set(audio, samplesIn(at));
  return { segments, samples, pieces };
}

export const samplesIn = (ms: number) => (ms * SAMPLE_RATE) / 1000;

/** A segment with those before and after it of the same person. */
export interface Place {
  segment: AudioSegment;
  before: AudioSegment | null;
  after: AudioSegment | null;
}

/** Silence around each segment that is asked again. */
const AGAIN_GAP_MS = 500;
/** Longer segments are not sent again with another. */
const MAX_NEIGHBOR_MS = 5_000;

export const asNeighbor = (segment: AudioSegment | undefined): AudioSegment | null =>
  segment === undefined || segment.endMs - segment.startMs > MAX_NEIGHBOR_MS ? null : segment;

/** So much audio tells an engine enough of what it is about. */
const ENOUGH_CONTEXT_MS = 5_000;
/** Less than the window in which Whisper listens. */
const MAX_AGAIN_MS = 28_000;

/**
 * Packs what is asked again: what one person says, and a short segment alone with its neighbors. Without the times of
 * words each segment is alone: nothing would tell its words from those of others.
 * @param timed what the engine gives times of
 */
export function packedAgain<J extends { place: Place }>(
  jobs: readonly J[],
  timed: 'words' | 'lines' | null,
): { pack: Pack; jobs: J[] }[] {
  const packed = (segments: readonly AudioSegment[]) =>
    packOf(segments, { gapMs: AGAIN_GAP_MS, ...(timed === 'words' && { omitted: omittedOf }) });
  const lengthOf = ({ samples }: Pack) => (samples.length * 1000) / SAMPLE_RATE;
  const groups: { segments: AudioSegment[]; jobs: J[] }[] = [];
  for (const job of jobs) {
    const { segment } = job.place;
    const open = groups.findLast(
      ({ segments: [first] }) => first !== undefined && personOf(first) === personOf(segment),
    );
    if (timed === 'words' && open !== undefined && lengthOf(packed([...open.segments, segment])) <= MAX_AGAIN_MS) {
      open.segments.push(segment);
      open.jobs.push(job);
    } else groups.push({ segments: [segment], jobs: [job] });
  }
  return groups.map(({ segments, jobs: own }) => {
    const pack = packed(segments);
    if (timed !== 'words' || lengthOf(pack) >= ENOUGH_CONTEXT_MS + 2 * AGAIN_GAP_MS) return { pack, jobs: own };
    const around = [own[0]?.place.before, ...segments, own.at(-1)?.place.after].filter((part) => part != null);
    return { pack: packed([...new Set(around)]), jobs: own };
  });
}

/** Who speaks: a channel, or one of the voices that share it. */
export function personOf({ channel, voice }: Pick<AudioSegment, 'channel' | 'voice'>): string {
  return `${channel ?? 'shared'}:${voice?.speaker ?? ''}`;
}

/**
 * Gives each segment of a pack its part of the answer, by the times of the words, otherwise by those of the lines.
 * @returns null when there are words without times
 */
export function unpacked(answer: EngineAnswer, pack: Pack): EngineAnswer[] | null {
  const { segments, pieces } = pack;
  const [piece] = pieces;
  const { utterances, words = [], wordTimesGuessed = false } = answer;
  if (pieces.length === 1 && piece?.sentMs === 0 && piece.startMs === 0 && !wordTimesGuessed) return [answer];
  if (utterances === undefined) return answer.text === '' ? segments.map(() => answer) : null;
  const text = utterances.map((line) => line.text).join(' ');
  const tokens = words.length === 0 ? null : (timedTokens(text, words) ?? joined(words));
  const parts: readonly TimedText[] = tokens ?? utterances.flatMap((line) => sharedOut(line, pack));
  const joints = pieces.slice(1).map(({ sentMs }) => sentMs);
  const placed = wordTimesGuessed
    ? inSpeech(parts, pack)
    : (tokens === null ? parts : withWholeSentences(parts, joints)).map((part) => inSegment(part, pieceAt(part, pack)));
  const sentMs = (segment: number) => pieces.find((each) => each.segment === segment)?.sentMs;
  return segments.map((_, index) => {
    const own = placed.filter(({ segment }) => segment === index).map(({ part }) => part);
    const confidence = confidenceIn(utterances, sentMs(index) ?? 0, sentMs(index + 1) ?? Number.POSITIVE_INFINITY);
    return {
      language: answer.language,
      text: own.map((part) => part.text).join(' '),
      ...(tokens === null ? { utterances: own } : { utterances: asLine(own), words: own }),
      ...(confidence === null ? {} : { confidence }),
    };
  });
}

/** Some servers give the parts of a hyphenated word apart. */
function joined(words: readonly TimedText[]): TimedText[] {
  const tokens: TimedText[] = [];
  for (const word of words) {
    const last = tokens.at(-1);
    if (last !== undefined && word.text.startsWith('-')) {
      last.text += word.text;
      last.endMs = word.endMs;
    } else tokens.push({ ...word });
  }
  return tokens;
}

/** Parts a line with a speaker where a segment ends, its words by their letters: the parts have one speaker. */
function sharedOut({ startMs, endMs, text, speaker }: TimedText, pack: Pack): TimedText[] {
  if (speaker === undefined) return [{ startMs, endMs, text }];
  const words = text.split(/\s+/);
  const msOfLetter = (endMs - startMs) / words.reduce((sum, word) => sum + word.length, 0);
  const parts: TimedText[] = [];
  let [before, at] = [-1, startMs];
  for (const word of words) {
    const part = { startMs: at, endMs: at + word.length * msOfLetter, text: word, speaker };
    const owner = pieceAt(part, pack)?.segment ?? 0;
    const last = parts.at(-1);
    if (last !== undefined && owner === before)
      Object.assign(last, { endMs: part.endMs, text: `${last.text} ${word}` });
    else parts.push(part);
    [before, at] = [owner, part.endMs];
  }
  return parts;
}

/** The piece in which the middle of the part is. */
function pieceAt({ startMs, endMs }: TimedText, { pieces }: Pack): Piece | undefined {
  return pieces.findLast(({ sentMs }) => sentMs <= (startMs + endMs) / 2) ?? pieces[0];
}

function inSegment(part: TimedText, piece: Piece | undefined): { segment: number; part: TimedText } {
  const { segment = 0, sentMs = 0, startMs = 0 } = piece ?? {};
  const moved = { startMs: Math.max(startMs, part.startMs - sentMs + startMs), endMs: part.endMs - sentMs + startMs };
  return { segment, part: { ...part, ...moved } };
}

type Sent = Sounding & { segment: number /** From its time in the samples to that in its segment. */; shiftMs: number };

/** The speech of a pack by its time in the samples, parted at pauses and where silence was left out. */
function soundingsOf({ segments, pieces, samples }: Pack): Sent[] {
  const soundings: Sent[] = [];
  let saidMs = Number.NEGATIVE_INFINITY;
  for (const [index, { segment, sentMs, startMs: pieceMs }] of pieces.entries()) {
    const { speech, startMs: segmentMs } = segments[segment] as AudioSegment;
    const shiftMs = pieceMs - sentMs;
    const untilMs = pieces[index + 1]?.sentMs ?? (samples.length * 1000) / SAMPLE_RATE;
    let isOpen = false;
    for (const stretch of speech) {
      const startMs = Math.max(stretch.startMs - segmentMs - shiftMs, sentMs);
      const endMs = Math.min(stretch.endMs - segmentMs - shiftMs, untilMs);
      if (startMs >= endMs) continue;
      const pauseMs = startMs + segmentMs + shiftMs - saidMs;
      saidMs = endMs + segmentMs + shiftMs;
      const last = soundings.at(-1);
      if (isOpen && last !== undefined && pauseMs < MIN_PAUSE_MS) last.endMs = endMs;
      else soundings.push({ segment, shiftMs, startMs, endMs, pauseMs });
      isOpen = true;
    }
  }
  return soundings;
}

/** Moves words whose times are guessed into the speech that they belong to. */
function inSpeech(words: readonly TimedText[], pack: Pack): { segment: number; part: TimedText }[] {
  const soundings = soundingsOf(pack);
  if (soundings.length === 0 || words.length > MAX_ALIGNED_WORDS)
    return words.map((word) => inSegment(word, pieceAt(word, pack)));
  const places = alignWords(words, soundings);
  return words.map((word, index) => {
    const { segment, shiftMs, startMs, endMs } = soundings[places[index] as number] as Sent;
    const within = (ms: number) => Math.min(Math.max(ms, startMs), endMs) + shiftMs;
    return { segment, part: { ...word, startMs: within(word.startMs), endMs: within(word.endMs) } };
  });
}

function asLine(words: readonly TimedText[]): TimedText[] {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ startMs: first.startMs, endMs: last.endMs, text: words.map(({ text }) => text).join(' ') }];
}

function confidenceIn(lines: NonNullable<EngineAnswer['utterances']>, fromMs: number, toMs: number): number | null {
  let sum = 0;
  let total = 0;
  for (const { startMs, endMs, confidence } of lines) {
    const ms = Math.min(endMs, toMs) - Math.max(startMs, fromMs);
    if (confidence === undefined || ms <= 0) continue;
    sum += confidence * ms;
    total += ms;
  }
  return total > 0 ? sum / total : null;
}

// What is kept of the engine's answers: one result for each segment, one record for each request.

/** What is saved for one request. */
export function recordOf(results: readonly TranscribedSegment[]): TranscribedSegment {
  const [first, ...others] = results;
  if (first === undefined) throw new Error('a request without segments');
  if (others.length === 0) return first;
  const { channel, language, startMs } = first;
  const endMs = Math.max(...results.map((result) => result.endMs));
  const key = `pack:${channel ?? 'voice'}:${startMs}-${endMs}:${results.length}:${first.key}`;
  return { key, channel, startMs, endMs, language, utterances: [], packed: [...results] };
}

/** The same for the same segment, engine and plan version, so that results of another engine are not reused. */
export function keyOf({ channel, voice, startMs, endMs }: AudioSegment, { name, model }: SpeechEngine): string {
  return `${channel ?? (voice === undefined ? 'all' : 'voice')}:${startMs}-${endMs}:${name}/${model}:${PLAN_VERSION}`;
}

/** Without times from the engine, a segment is one utterance. @param request a name for that of the answer */
export function resultOf(
  { channel, startMs, endMs, speechStartMs, speechEndMs, speech }: AudioSegment,
  key: string,
  answer: EngineAnswer | null,
  told: string | null,
  request = '',
): TranscribedSegment {
  const inRecording = (said: TimedText): TimedText => ({
    startMs: Math.min(startMs + said.startMs, endMs),
    endMs: Math.min(startMs + said.endMs, endMs),
    text: said.text,
    ...(said.speaker === undefined ? {} : { speaker: said.speaker }),
  });
  const utterances: TimedText[] =
    answer?.utterances === undefined
      ? [{ startMs: speechStartMs, endMs: speechEndMs, text: answer?.text ?? '' }]
      : fitTimes(speech, answer.utterances.map(inRecording), answer.words?.map(inRecording));
  return {
    key,
    channel,
    startMs,
    endMs,
    language: answer?.language ?? null,
    utterances: utterances
      .filter(({ text }) => text !== '')
      .map(({ speaker, words = [], ...said }): Utterance => {
        const times = packedTimes(words, said.startMs);
        return {
          speaker: channel,
          ...said,
          ...(times === undefined ? {} : { words: times }),
          ...(speaker === undefined || channel !== null ? {} : { label: { request, speaker } }),
        };
      }),
    ...(told === null ? {} : { toldLanguage: told }),
    ...(answer === null ? { unanswered: 'engine_timeout' } : {}),
  };
}

/** @returns whether a segment that was sent before the language was settled was heard as another one */
export function isGuessedWrong({ language, utterances }: TranscribedSegment, settled: string): boolean {
  if (utterances.length === 0) return false;
  return (language !== null && baseOf(language) !== settled) || utterances.some(({ text }) => isForeign(text, settled));
}

export function evidenceOf({ language, utterances }: TranscribedSegment): TranscribedSegment['other'] | null {
  return language === null || utterances.length === 0 ? null : { language, utterances };
}
