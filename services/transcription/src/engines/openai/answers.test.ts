import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './answers.ts';
import { languageCode } from './languages.ts';

describe('reading an answer', () => {
  it('takes the first of the languages of gpt-transcribe, and the tokens', () => {
    const usage = { type: 'tokens', input_tokens: 140, output_tokens: 9, total_tokens: 149 };
    expect(readAnswer({ text: ' Hello. ', languages: [{ code: 'en' }, { code: 'de' }], usage })).toEqual({
      text: 'Hello.',
      language: 'en',
      tokens: { input: 140, output: 9 },
    });
  });

  it('takes what a small server says: text and nothing else', () => {
    expect(readAnswer({ text: '' })).toEqual({ text: '', language: null });
  });

  it('takes no language from an empty list', () => {
    expect(readAnswer({ text: 'x', languages: [] }).language).toBeNull();
  });

  it('takes times in seconds', () => {
    expect(
      readAnswer({
        text: 'a b',
        language: 'english',
        duration: 2,
        segments: [{ id: 0, start: 0.5, end: 1.25, text: ' a b' }],
      }),
    ).toEqual({
      text: 'a b',
      language: 'en',
      utterances: [{ startMs: 500, endMs: 1_250, text: 'a b' }],
    });
  });

  it('refuses what is no answer', () => {
    expect(() => readAnswer({ error: 'busy' })).toThrow();
    expect(() => readAnswer('hello')).toThrow();
  });
});

describe('the name of a language', () => {
  it.each([
    ['english', 'en'],
    ['Russian', 'ru'],
    ['en', 'en'],
    ['pt-br', 'pt-BR'],
    ['klingonese of the north', null],
    ['', null],
  ])('"%s" is %s', (said, code) => {
    expect(languageCode(said)).toBe(code);
  });
});
