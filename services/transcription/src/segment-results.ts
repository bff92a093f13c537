import { packedTimes, type Segment as TranscribedSegment, type Utterance } from '@call-analytics/calls';
import type { EngineAnswer, SpeechEngine } from './engines/engine.ts';
import { baseOf, isForeign } from './engines/language.ts';
import { fitTimes, type TimedText } from './join/fit-times.ts';
import { type AudioSegment, PLAN_VERSION } from './plan/planner.ts';

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
