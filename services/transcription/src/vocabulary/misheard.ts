import { packedTimes, type Transcript, timedWords, type Utterance } from '@call-analytics/calls';
import { baseOf } from '../engines/language.ts';
import { type NearMiss, NearMisses } from './near-misses.ts';

/** @returns the transcript with the terms of the vocabulary where they were misheard, and what was heard there */
export function withTerms(transcript: Transcript, vocabulary: readonly string[]): Transcript {
  if (vocabulary.length === 0) return transcript;
  const byLanguage = new Map<string, NearMisses>();
  const nearMissesIn = (language: string) => {
    const known = byLanguage.get(language) ?? new NearMisses(vocabulary, language);
    byLanguage.set(language, known);
    return known;
  };
  const utterances = transcript.utterances.map((utterance) => {
    const language = utterance.language ?? transcript.language;
    const found = nearMissesIn(language === null ? '' : baseOf(language)).find(utterance.text);
    return found.length === 0 ? utterance : corrected(utterance, found);
  });
  return { ...transcript, utterances };
}

/** @param found in the order of the text */
function corrected(utterance: Utterance, found: readonly NearMiss[]): Utterance {
  const { words: _, ...rest } = utterance;
  const misheard: NearMiss[] = [];
  let [text, from] = ['', 0];
  for (const { at, heard, term } of found) {
    text += utterance.text.slice(from, at);
    misheard.push({ at: text.length, heard, term });
    text += term;
    from = at + heard.length;
  }
  text += utterance.text.slice(from);
  const words = packedTimes(timesAfter(utterance, found), utterance.startMs);
  return { ...rest, text, misheard, ...(words !== undefined && { words }) };
}

/** @returns the times of all words: those of a term share the time of the words that were heard */
function timesAfter(utterance: Utterance, found: readonly NearMiss[]): { startMs: number; endMs: number }[] {
  let words = timedWords(utterance);
  return found
    .flatMap(({ at, heard, term }) => {
      const before = words.filter((word) => word.at + word.text.length <= at);
      const under = words.filter((word) => word.at < at + heard.length).slice(before.length);
      words = words.slice(before.length + under.length);
      const [startMs, endMs] = [under[0]?.startMs ?? 0, under.at(-1)?.endMs ?? 0];
      const count = term.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      const timeAt = (index: number) => startMs + ((endMs - startMs) * index) / count;
      const shared = Array.from({ length: under.length === 0 ? 0 : count }, (_, index) =>
        under.length === count && under[index] !== undefined
          ? under[index]
          : { startMs: timeAt(index), endMs: timeAt(index + 1) },
      );
      return [...before, ...shared];
    })
    .concat(words);
}
