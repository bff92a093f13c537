import { describe, expect, it } from '@jest/globals';
import { CallLanguage, isForeign, withoutForeignWords } from './language.ts';

describe('the language of a call', () => {
  it('is settled by long segments, and short ones wait for it', () => {
    const language = new CallLanguage([]);
    expect(language.waits(1_800)).toBe(true);
    expect(language.waits(6_000)).toBe(false);
    language.heard('en', 'Thank you for calling.', 6_000);
    expect(language.settled).toBeNull();
    language.heard('en', 'My name is Jack.', 6_000);
    expect(language).toMatchObject({ settled: 'en', told: ['en'] });
    expect(language.waits(1_800)).toBe(false);
  });

  it('is not decided by many wrong guesses for short segments', () => {
    const language = new CallLanguage([]);
    for (let i = 0; i < 20; i += 1) language.heard('ja', 'はい', 4_000);
    language.heard('en', 'Thank you for calling.', 6_000);
    language.conclude();
    expect(language.settled).toBe('en');
  });

  it('is decided by the short segments of a call that has no others', () => {
    const language = new CallLanguage([]);
    language.heard('de', 'Guten Tag.', 2_000);
    language.conclude();
    expect(language.settled).toBe('de');
  });

  it('is what the operator set from the first segment on, where that is one language', () => {
    expect(new CallLanguage(['de'])).toMatchObject({ settled: 'de', told: ['de'] });
    const two = new CallLanguage(['de', 'en']);
    expect(two).toMatchObject({ settled: null, told: ['de', 'en'] });
    two.heard('nn', 'Hei hei.', 60_000);
    two.conclude();
    expect(two.settled).toBeNull();
    two.heard('en-US', 'Good morning.', 20_000);
    expect(two.settled).toBe('en');
  });

  it('needs three quarters of the speech, or a minute', () => {
    const language = new CallLanguage([]);
    language.heard('en', 'Hello.', 12_000);
    expect(language.settled).toBe('en');
    const mixed = new CallLanguage([]);
    mixed.heard('nl', 'Goedemorgen.', 8_000);
    mixed.heard('de', 'Guten Morgen.', 14_000);
    expect(mixed.settled).toBeNull();
    mixed.heard('de', 'Wie geht es Ihnen?', 40_000);
    expect(mixed.settled).toBe('de');
  });

  it('is not decided by one long answer of which the engine is unsure', () => {
    const language = new CallLanguage([]);
    language.heard('la', 'Astort mi laid, ni lifa niidst.', 14_000, -1.2);
    expect(language.settled).toBeNull();
    language.heard('de', 'Das klingt schon besser.', 14_000, -0.7);
    expect(language.settled).toBe('de');
  });

  it('is not waited for where the engine does not say what it heard', () => {
    const language = new CallLanguage([]);
    language.heard(null, 'Good morning.', 6_000);
    expect(language.waits(1_000)).toBe(false);
  });
});

describe('letters of a foreign script', () => {
  it.each([
    ['拜拜', 'en', true],
    ['イエリアル!', 'en', true],
    ['अदिवा', 'en', true],
    ['ขอบคุณครับ', 'de', true],
    ['Привет', 'ru', false],
    ['Okay, CRM.', 'ru', false],
    ['東京へ行きます', 'ja', false],
    ['Grüße, 12 €!', 'de', false],
    ['…', 'en', false],
    ['Привет', 'xx', false],
  ])('%s in a call in %s: %s', (text, language, foreign) => {
    expect(isForeign(text, language)).toBe(foreign);
  });

  it('are left out word by word where the rest is in the language', () => {
    expect(withoutForeignWords('All right, see you soon. 拜拜', 'en')).toBe('All right, see you soon.');
    expect(withoutForeignWords('拜拜', 'en')).toBe('');
    expect(withoutForeignWords('All  right.', 'en')).toBe('All  right.');
  });
});
