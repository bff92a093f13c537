import { packedTimes, type Segment as TranscribedSegment, type Utterance } from '@call-analytics/calls';
import type { EngineAnswer, SpeechEngine } from './engines/engine.ts';
import { baseOf, isForeign } from './engines/language.ts';
import { fitTimes, type TimedText, timedTokens } from './join/fit-times.ts';
import { SAMPLE_RATE } from './plan/frames.ts';
import { type AudioSegment, PLAN_VERSION } from './plan/planner.ts';

/** Segments of one person in one request, in order. Each brings the silence that was recorded around it. */
export interface Pack {
  segments: readonly AudioSegment[];
  samples: Int16Array;
  /** Where each segment begins in the samples, in ms. */
  startsMs: readonly number[];
}

/** @param gapMs silence before, between and after the segments */
export function packOf(segments: readonly AudioSegment[], gapMs = 0): Pack {
  const gap = (gapMs * SAMPLE_RATE) / 1000;
  const samples = new Int16Array(segments.reduce((sum, segment) => sum + segment.samples.length + gap, gap));
  const startsMs: number[] = [];
  let at = gap;
  for (const segment of segments) {
    samples.set(segment.samples, at);
    startsMs.push((at * 1000) / SAMPLE_RATE);
    at += segment.samples.length + gap;
  }
  return { segments, samples, startsMs };
}

/** A segment with those before and after it of the same person. */
export interface Place {
  segment: AudioSegment;
  before: AudioSegment | null;
  after: AudioSegment | null;
}

/** Silence around each segment that is asked again. */
const AGAIN_GAP_MS = 500;
/** Longer segments are not sent again with another. */
const LONGEST_NEIGHBOR_MS = 10_000;

export const asNeighbor = (segment: AudioSegment | undefined): AudioSegment | null =>
  segment === undefined || segment.endMs - segment.startMs > LONGEST_NEIGHBOR_MS ? null : segment;

/** Without times in the answer, the words of neighbors could not be told from its own. */
export function amongNeighbors({ segment, before, after }: Place, timed: boolean): Pack {
  const segments = (timed ? [before, segment, after] : [segment]).filter((part) => part !== null);
  return packOf(segments, AGAIN_GAP_MS);
}

/** Who speaks: a channel, or one of the voices that share it. */
export function personOf({ channel, voice }: AudioSegment): string {
  return `${channel ?? 'shared'}:${voice?.speaker ?? ''}`;
}

/**
 * Gives each segment of a pack its part of the answer, by the times of the words, otherwise by those of the lines.
 * @returns null when there are words without times
 */
export function unpacked(answer: EngineAnswer, pack: Pack): EngineAnswer[] | null {
  const { segments, startsMs } = pack;
  if (segments.length === 1 && startsMs[0] === 0) return [answer];
  const { utterances, words = [] } = answer;
  if (utterances === undefined) return answer.text === '' ? segments.map(() => answer) : null;
  const text = utterances.map((line) => line.text).join(' ');
  const tokens = words.length === 0 ? null : (timedTokens(text, words) ?? joined(words));
  const parts: readonly TimedText[] = tokens ?? utterances.flatMap((line) => sharedOut(line, pack));
  const owners = parts.map((part) => ownerOf(part, pack));
  return segments.map((_, index) => {
    const startMs = startsMs[index] ?? 0;
    const own = parts
      .filter((_part, i) => owners[i] === index)
      .map((part) => ({ ...part, startMs: Math.max(0, part.startMs - startMs), endMs: part.endMs - startMs }));
    const confidence = confidenceIn(utterances, startMs, startsMs[index + 1] ?? Number.POSITIVE_INFINITY);
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
    const owner = ownerOf(part, pack);
    const last = parts.at(-1);
    if (last !== undefined && owner === before)
      Object.assign(last, { endMs: part.endMs, text: `${last.text} ${word}` });
    else parts.push(part);
    [before, at] = [owner, part.endMs];
  }
  return parts;
}

/** The segment in which the middle of the part is. */
function ownerOf({ startMs, endMs }: TimedText, { startsMs }: Pack): number {
  return Math.max(
    0,
    startsMs.findLastIndex((start) => start <= (startMs + endMs) / 2),
  );
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
