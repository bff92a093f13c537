import { describe, expect, it } from '@jest/globals';
import { readOutput } from './engine.ts';

const line = (start: number, end: number, text: string) => `{"start":${start},"end":${end},"text":"${text}"}\n`;
const done = (language: string | null = null) => `${JSON.stringify({ done: true, language })}\n`;
const texts = (output: string, segmentMs = 60_000) => readOutput(output, segmentMs)?.words.map(({ text }) => text);

describe('what the whisper process writes', () => {
  it('is words in order, and the language it heard', () => {
    expect(readOutput(line(0, 1200, 'Hello.') + line(1200, 2000, ' Hi.') + done('en'), 5_000)).toEqual({
      words: [
        { startMs: 0, endMs: 1200, text: 'Hello.' },
        { startMs: 1200, endMs: 2000, text: 'Hi.' },
      ],
      language: 'en',
    });
  });

  it('may hold quotes, braces and line ends, which the filter does not escape', () => {
    const hostile = ['He said "no", twice', 'a "},{" b', 'two\nlines', 'back\\slash', '{"done":true}', 'a "}\n b'];
    expect(texts(hostile.map((text, i) => line(i, i + 1, text)).join('') + done())).toEqual(
      hostile.map((text) => text.replace(/\s+/g, ' ')),
    );
  });

  it('counts for nothing when it does not come to its end', () => {
    expect(readOutput(line(0, 1200, 'Hello.'), 5_000)).toBeNull();
    expect(readOutput(line(0, 1200, '{"done":true,"language":null}'), 5_000)).toBeNull();
    expect(readOutput('', 5_000)).toBeNull();
  });

  it('is without annotations of silence and noise', () => {
    const noise = ['[MUSIC]', '(door slams)', '*sighs*', '♪ la la ♪', '[Music] (applause)', '...', ' '];
    expect(texts(noise.map((text, i) => line(i, i + 1, text)).join('') + done())).toEqual([]);
    expect(texts(line(0, 1, '[MUSIC] Hello?') + done())).toEqual(['[MUSIC] Hello?']);
    const words = ['(door', 'slams)', 'Hello', '♪', 'la', 'la', '♪', '[phone', 'rings]', 'Yes?'];
    expect(texts(words.map((text, i) => line(i, i + 1, text)).join('') + done())).toEqual(['Hello', 'Yes?']);
  });

  it('is without words in the silence after the segment, and no utterance is longer than the segment', () => {
    expect(readOutput(line(0, 30_000, 'Hello.') + line(6_000, 8_000, 'Thank you.') + done(), 5_500)?.words).toEqual([
      { startMs: 0, endMs: 5_500, text: 'Hello.' },
    ]);
  });

  it('is without half characters', () => {
    expect(texts(line(0, 1, 'Да\uFFFD') + line(1, 2, '\uFFFD') + done())).toEqual(['Да']);
  });
});
