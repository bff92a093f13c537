import { describe, expect, it } from '@jest/globals';
import { languageTag, whisperLanguage } from './languages.ts';

describe('the language given to whisper', () => {
  it('is the only one that may be spoken', () => {
    expect(whisperLanguage(['de'], true)).toBe('de');
    expect(whisperLanguage(['en-GB', 'en-US'], true)).toBe('en');
    expect(whisperLanguage(['jv'], true)).toBe('jw');
  });

  it('is left to whisper when there are several, none, or one that it does not know', () => {
    expect(whisperLanguage(['de', 'en'], true)).toBe('auto');
    expect(whisperLanguage([], true)).toBe('auto');
    expect(whisperLanguage(['xx'], true)).toBe('auto');
  });

  it('is English for a model that knows nothing else', () => {
    expect(whisperLanguage(['de'], false)).toBe('en');
  });
});

describe('the language that whisper heard', () => {
  it('is told as BCP 47, and is null when whisper was not asked', () => {
    expect(languageTag('de')).toBe('de');
    expect(languageTag('jw')).toBe('jv');
    expect(languageTag('auto')).toBeNull();
  });
});
