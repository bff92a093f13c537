import { packedTimes, timedWords, type Utterance } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { inSentences } from './sentences.ts';

const said = (speaker: number, startMs: number, endMs: number, text: string): Utterance => ({
  speaker,
  startMs,
  endMs,
  text,
});
const linesOf = (utterances: readonly Utterance[]) => inSentences(utterances).map(({ text }) => text);

describe('sentences that a pause parted', () => {
  it('are one utterance, from the beginning of the first part to the end of the last', () => {
    const parts = [
      said(1, 0, 1_000, 'I got a car and'),
      said(1, 2_500, 4_000, 'the light'),
      said(1, 6_900, 8_000, 'came on.'),
    ];
    expect(inSentences(parts)).toEqual([said(1, 0, 8_000, 'I got a car and the light came on.')]);
  });

  it('stay apart after the end of a sentence, a longer pause, and when the other person speaks', () => {
    const ended = [said(1, 0, 1_000, 'I see.'), said(1, 2_000, 3_000, 'Go on.')];
    expect(linesOf(ended)).toEqual(['I see.', 'Go on.']);
    const later = [said(1, 0, 1_000, 'It is a'), said(1, 4_100, 5_000, 'Tesla.')];
    expect(linesOf(later)).toEqual(['It is a', 'Tesla.']);
    const between = [said(1, 0, 1_000, 'It is a'), said(0, 1_100, 1_300, 'Mhm.'), said(1, 1_400, 2_000, 'Tesla.')];
    expect(linesOf(between)).toEqual(['It is a', 'Mhm.', 'Tesla.']);
  });

  it('stay apart in another language, and beyond 30 s', () => {
    const other = { ...said(1, 1_500, 2_000, 'muy bien.'), language: 'es' };
    expect(linesOf([said(1, 0, 1_000, 'It is'), other])).toEqual(['It is', 'muy bien.']);
    expect(linesOf([said(1, 0, 20_000, 'It is'), said(1, 20_500, 30_100, 'fine.')])).toEqual(['It is', 'fine.']);
  });

  it('are not guessed where an engine writes no punctuation', () => {
    const parts = [said(0, 0, 1_000, 'good morning'), said(0, 1_500, 2_000, 'this is jo')];
    expect(linesOf(parts)).toEqual(['good morning', 'this is jo']);
  });

  it('keep the times of their words, and are as sure of the speaker as the less sure part', () => {
    const timed = (startMs: number, endMs: number, text: string, confidence: number): Utterance => {
      const words = text
        .split(' ')
        .map((_, index) => ({ startMs: startMs + 500 * index, endMs: startMs + 500 * index + 400 }));
      return { ...said(0, startMs, endMs, text), words: packedTimes(words, startMs) ?? '', confidence };
    };
    const [whole, ...others] = inSentences([timed(0, 900, 'good morning', 0.9), timed(800, 1_700, 'to you.', 0.7)]);
    expect(others).toEqual([]);
    expect(whole?.confidence).toBe(0.7);
    const words = timedWords(whole as Utterance).map(({ text, startMs, endMs }) => [text, startMs, endMs]);
    expect(words).toEqual([
      ['good', 0, 400],
      ['morning', 500, 900],
      ['to', 900, 1_200],
      ['you.', 1_300, 1_700],
    ]);
  });
});
