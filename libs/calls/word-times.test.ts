import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Utterance } from './transcript.ts';
import { packedTimes, timedWords, withText, wordsOfLines } from './word-times.ts';

const times = (...ms: [number, number][]) => ms.map(([startMs, endMs]) => ({ startMs, endMs }));

/** @param ms of each word */
function said(startMs: number, endMs: number, text: string, ...ms: [number, number][]): Utterance {
  return { speaker: null, startMs, endMs, text, words: packedTimes(times(...ms), startMs) ?? '' };
}

const heard = (words: ReturnType<typeof timedWords>) => words.map(({ text, startMs }) => `${text} ${startMs}`);

describe('the times of words', () => {
  it('are kept to 5 ms, in order, within the utterance, in two to five bytes a word', () => {
    const word = fc.tuple(fc.nat({ max: 3_000 }), fc.nat({ max: 1_500 }));
    fc.assert(
      fc.property(fc.nat({ max: 20_000_000 }), fc.array(word, { minLength: 1 }), (startMs, words) => {
        let at = startMs;
        const spoken = words.map(([pause, length]) => {
          const from = at + pause;
          at = from + length;
          return { startMs: from, endMs: at };
        });
        const packed = packedTimes(spoken, startMs) ?? '';
        expect(Buffer.byteLength(packed)).toBeLessThanOrEqual(5 * words.length);
        const text = words.map((_, index) => `w${index}`).join(' ');
        const read = timedWords({ speaker: null, startMs, endMs: at, text, words: packed });
        read.forEach((each, index) => {
          expect(Math.abs(each.startMs - (spoken[index]?.startMs ?? 0))).toBeLessThanOrEqual(5);
          expect(Math.abs(each.endMs - (spoken[index]?.endMs ?? 0))).toBeLessThanOrEqual(5);
          expect(each.startMs).toBeGreaterThanOrEqual(read[index - 1]?.endMs ?? startMs);
          expect(each.endMs).toBeLessThanOrEqual(at);
        });
        expect(read).toHaveLength(words.length);
      }),
    );
  });

  it('are those of what stands between white space and has a letter or a digit', () => {
    const utterance = said(
      1_000,
      3_000,
      '— Well, 20% – that’s it',
      [1_000, 1_200],
      [1_200, 2_000],
      [2_000, 2_500],
      [2_500, 3_000],
    );
    expect(heard(timedWords(utterance))).toEqual(['Well, 1000', '20% 1200', 'that’s 2000', 'it 2500']);
  });

  it('are unknown where none are stored, and where they are not those of the text', () => {
    expect(timedWords({ speaker: 0, startMs: 0, endMs: 900, text: 'One two.' })).toEqual([]);
    expect(timedWords({ ...said(0, 900, 'One two.', [0, 400], [400, 900]), text: 'One.' })).toEqual([]);
    expect(packedTimes(times([500, 400]), 0)).toBeUndefined();
    expect(packedTimes(times([100, 400]), 200)).toBeUndefined();
    expect(packedTimes(times([0, 1_000_000]), 0)).toBeUndefined();
    expect(packedTimes([], 0)).toBeUndefined();
  });

  it('stay with the words that are left of a text', () => {
    const utterance = said(
      0,
      5_000,
      'I said no no no bye',
      [0, 100],
      [200, 500],
      [1_000, 1_200],
      [2_000, 2_200],
      [3_000, 3_200],
      [4_000, 4_500],
    );
    expect(heard(timedWords(withText(utterance, 'I said no bye')))).toEqual(['I 0', 'said 200', 'no 1000', 'bye 4000']);
    expect(withText(utterance, 'I say no')).toEqual({ speaker: null, startMs: 0, endMs: 5_000, text: 'I say no' });
    expect(withText({ ...utterance, words: 'x' }, 'I')).not.toHaveProperty('words');
  });
});

describe('the words of the lines of an analysis', () => {
  const utterances = [
    said(0, 4_000, 'Yes. No. Yes.', [0, 500], [1_000, 1_500], [3_000, 3_500]),
    { speaker: null, startMs: 4_500, endMs: 4_800, text: '…' },
    { speaker: null, startMs: 5_000, endMs: 6_000, text: 'Untimed words.' },
    said(7_000, 9_000, 'Yes. Bye.', [7_000, 7_500], [8_000, 8_500]),
  ];
  const line = (startMs: number, endMs: number, text: string) => ({ startMs, endMs, text });

  it('are found where the line is a part of an utterance, also when its text is said several times', () => {
    const lines = [
      line(0, 500, 'Yes.'),
      line(1_000, 1_500, 'No.'),
      line(3_000, 4_000, 'Yes.'),
      line(5_000, 6_000, 'Untimed words.'),
      line(7_000, 7_500, 'Yes.'),
      line(8_000, 9_000, 'Bye.'),
    ];
    const words = wordsOfLines(utterances, lines);
    expect(words.map(heard)).toEqual([['Yes. 0'], ['No. 1000'], ['Yes. 3000'], [], ['Yes. 7000'], ['Bye. 8000']]);
    expect(words[2]).toEqual([{ text: 'Yes.', at: 0, startMs: 3_000, endMs: 3_500 }]);
  });

  it('lie within the line, also when an earlier release has estimated its times', () => {
    const [words = []] = wordsOfLines(utterances, [line(200, 2_000, 'Yes. No. Yes.')]);
    expect(words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [200, 500],
      [1_000, 1_500],
      [2_000, 2_000],
    ]);
  });

  it('are unknown for a line that is no part of an utterance', () => {
    expect(wordsOfLines(utterances, [line(0, 500, 'Maybe.'), line(8_000, 9_000, 'Bye.')]).map(heard)).toEqual([
      [],
      ['Bye. 8000'],
    ]);
    expect(wordsOfLines([{ speaker: 0, startMs: 0, endMs: 1, text: 'Hi.' }], [line(0, 1, 'Hi.')])).toEqual([[]]);
  });
});
