import { describe, expect, it } from '@jest/globals';
import { withoutHallucinations, withoutLoops } from './hallucinations.ts';

const clear = { speechMs: 4_000, loudestDb: -15 };
const faint = { speechMs: 300, loudestDb: -52 };

function said(text: string, ms = 4_000) {
  return { speaker: 0, startMs: 1_000, endMs: 1_000 + ms, text };
}

describe('words that nobody said', () => {
  it('are not found in what people say', () => {
    for (const text of [
      'Thank you.',
      'No, no, no, no, no!',
      'Bye bye. Bye. Bye bye!',
      'Very, very, very good.',
      'Thanks for watching the shop while I was away.',
    ]) {
      expect(withoutHallucinations(said(text), clear)).toEqual({ utterance: said(text), reason: null });
    }
  });

  it.each([
    'Thank you.',
    'Thanks for watching!',
    'Subtitles by the Amara.org community',
    'Субтитры сделал DimaTorzok',
    'you',
  ])('"%s" on near-silence is left out', (text) => {
    expect(withoutHallucinations(said(text, 300), faint)).toEqual({ utterance: null, reason: 'words_on_silence' });
  });

  it('"You" alone on loud music is left out; a person asks "You?", or says more', () => {
    const music = { speechMs: 1_700, loudestDb: -12 };
    for (const text of ['You', 'you.'])
      expect(withoutHallucinations(said(text, 1_700), music)).toEqual({ utterance: null, reason: 'words_on_silence' });
    for (const text of ['You?', 'You too.', 'Thank you.'])
      expect(withoutHallucinations(said(text, 1_700), music).reason).toBeNull();
  });

  it('a phrase that models write on music is left out where it would be said over many seconds', () => {
    const dropped = { utterance: null, reason: 'sounds_as_words' };
    for (const text of ['Thank you very much.', 'You .', 'Okay,', 'Thank you for watching.'])
      expect(withoutHallucinations(said(text, 6_000), { speechMs: 5_800, loudestDb: -18 })).toEqual(dropped);
    for (const text of ['Thank you very much for your help today.', 'Okay, let me see what I can do for you.'])
      expect(withoutHallucinations(said(text, 6_000), { speechMs: 5_800, loudestDb: -18 }).reason).toBeNull();
  });

  it('a short but clear yes stays', () => {
    expect(withoutHallucinations(said('Yes.', 300), { speechMs: 300, loudestDb: -20 }).utterance?.text).toBe('Yes.');
    expect(withoutHallucinations(said('Okay.', 300), { speechMs: 300, loudestDb: -20 }).utterance?.text).toBe('Okay.');
  });

  it('more words than anyone can say in the time are left out', () => {
    const text = 'We offer a wide range of services for all of your needs at very competitive prices';
    expect(withoutHallucinations(said(text, 1_000), clear).reason).toBe('impossible_speed');
    expect(withoutHallucinations(said(text, 4_500), clear).reason).toBeNull();
  });

  it('as many words in haste stay of a person who usually talks fast, or of whom noise hides a part', () => {
    const text = 'It takes a little longer to fix, that will be an option that we could plan out for you, you see';
    const level = { speechMs: 2_900, loudestDb: -15 };
    expect(withoutHallucinations(said(text, 3_000), level).reason).toBe('impossible_speed');
    expect(withoutHallucinations(said(text, 3_000), { ...level, pace: 3 }).reason).toBe('impossible_speed');
    expect(withoutHallucinations(said(text, 3_000), { ...level, pace: 5 }).reason).toBeNull();
  });

  it('a loop is said once, and what is around it stays', () => {
    const loop = Array.from({ length: 30 }, () => 'I will call you.').join(' ');
    expect(withoutHallucinations(said(`Fine. ${loop} Goodbye.`, 60_000), clear)).toEqual({
      utterance: said('Fine. I will call you. Goodbye.', 60_000),
      reason: 'repeated_words',
    });
  });
});

describe('loops', () => {
  it('are recognized whatever the case and punctuation', () => {
    expect(withoutLoops('Yes yes, YES yes yes. Yes yes yes yes!')).toBe('Yes');
  });

  it('leave text of any length untouched when there are none', () => {
    const text = Array.from({ length: 2_000 }, (_, i) => `word${i}`).join('  ');
    expect(withoutLoops(text)).toBe(text);
  });

  it('of whole sentences are found too', () => {
    const sentence = 'we are looking forward to hearing from you again soon, sir.';
    expect(withoutLoops([sentence, sentence, sentence, sentence].join(' '))).toBe(sentence);
    expect(withoutLoops([sentence, sentence].join(' '))).toBe(`${sentence} ${sentence}`);
  });
});
