import { packedTimes, type Transcript, timedWords, type Utterance } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { withTerms } from './misheard.ts';

const timed = (text: string, times: readonly [number, number][]): Utterance => {
  const words = packedTimes(
    times.map(([startMs, endMs]) => ({ startMs, endMs })),
    1_000,
  );
  return { speaker: 0, startMs: 1_000, endMs: 9_000, text, ...(words !== undefined && { words }) };
};
const transcript = (utterances: Utterance[], language: string | null = 'en'): Transcript => ({
  language,
  utterances,
  speakersBy: 'nothing',
  engine: { name: 'x', model: 'y' },
  audio: { seconds: 9, channels: 1, coveredSeconds: 9, speechSeconds: [9], dropped: [] },
});
const after = (utterance: Utterance, vocabulary: readonly string[]) =>
  withTerms(transcript([utterance]), vocabulary).utterances[0] ?? utterance;

describe('a transcript with the terms of a vocabulary', () => {
  it('keeps what was heard, at the place of each term', () => {
    const heard = timed("We use north wind, and Kovalchik's list.", []);
    const { text, misheard = [] } = after(heard, ['Kowalczyk', 'Northwind']);
    expect(text).toBe("We use Northwind, and Kowalczyk's list.");
    expect(misheard).toEqual([
      { at: 7, heard: 'north wind', term: 'Northwind' },
      { at: 22, heard: 'Kovalchik', term: 'Kowalczyk' },
    ]);
    for (const { at, term } of misheard) expect(text.slice(at, at + term.length)).toBe(term);
  });

  it('gives joined words the time of both, and the others their own', () => {
    const heard = timed("Use north wind, Kovalchik's list.", [
      [1_000, 1_200],
      [1_300, 1_500],
      [1_600, 1_900],
      [2_000, 2_400],
      [2_500, 2_900],
    ]);
    expect(timedWords(after(heard, ['Northwind', 'Kowalczyk']))).toEqual([
      { text: 'Use', at: 0, startMs: 1_000, endMs: 1_200 },
      { text: 'Northwind,', at: 4, startMs: 1_300, endMs: 1_900 },
      { text: "Kowalczyk's", at: 15, startMs: 2_000, endMs: 2_400 },
      { text: 'list.', at: 27, startMs: 2_500, endMs: 2_900 },
    ]);
  });

  it('divides the time of a word between those of a term', () => {
    const heard = timed('The Fordfusion.', [
      [1_000, 1_200],
      [1_400, 2_000],
    ]);
    expect(timedWords(after(heard, ['Ford Fusion'])).map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual(
      [
        ['The', 1_000, 1_200],
        ['Ford', 1_400, 1_700],
        ['Fusion.', 1_700, 2_000],
      ],
    );
  });

  it('is read in the language of each utterance', () => {
    const said = { speaker: 0, startMs: 0, endMs: 1_000, text: 'Hier ist Fiesmann.' };
    const { utterances } = withTerms(transcript([said, { ...said, language: 'de-AT' }], 'fr'), ['Viessmann']);
    expect(utterances.map(({ text }) => text)).toEqual(['Hier ist Fiesmann.', 'Hier ist Viessmann.']);
  });

  it('is the same without a vocabulary, and without anything misheard', () => {
    const heard = transcript([timed('We use north wind.', [])], null);
    expect(withTerms(heard, [])).toBe(heard);
    expect(withTerms(heard, ['Northwind'])).toEqual(heard);
  });
});
