import { describe, expect, it } from '@jest/globals';
import { omittedOf, packedAgain, packOf, unpacked } from './pack.ts';
import type { AudioSegment } from './plan/planner.ts';

/** Speech without its first and last 0.2 s. */
function segment(startMs: number, endMs: number): AudioSegment {
  const speech = [{ startMs: startMs + 200, endMs: endMs - 200 }];
  return {
    channel: 0,
    startMs,
    endMs,
    speech,
    speechMs: endMs - startMs - 400,
    loudestDb: -20,
    silences: [],
    speechStartMs: startMs + 200,
    speechEndMs: endMs - 200,
    samples: new Int16Array((endMs - startMs) * 16).fill(startMs / 1000),
  };
}

const at = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs });
const PACK = packOf([segment(5_000, 7_000), segment(30_000, 31_000), segment(60_000, 64_000)]);
const texts = (answer: Parameters<typeof unpacked>[0]) => unpacked(answer, PACK)?.map(({ text }) => text);

describe('a pack', () => {
  it('holds its segments with the silence that was recorded around them, and nothing between', () => {
    expect(PACK.pieces.map(({ sentMs }) => sentMs)).toEqual([0, 2_000, 3_000]);
    expect([0, 31_999, 32_000, 48_000].map((sample) => PACK.samples[sample])).toEqual([5, 5, 30, 60]);
  });

  it('gives each segment its words by their times, with the punctuation of the lines', () => {
    const words = [at('hello', 200, 900), at('there', 900, 1_800), at('yes', 2_100, 2_700), at('fine', 3_300, 4_000)];
    const line = at('Hello there. Yes, fine!', 200, 4_000);
    const answers = unpacked({ text: line.text, utterances: [line], words, language: 'en' }, PACK);
    expect(answers?.map(({ text }) => text)).toEqual(['Hello there.', 'Yes,', 'fine!']);
    expect(answers?.[2]).toMatchObject({ utterances: [at('fine!', 300, 1_000)], words: [at('fine!', 300, 1_000)] });
  });

  it('gives each line to the segment in which its middle is, where there are no words', () => {
    const lines = [at('One two.', 200, 2_400), at('Three.', 3_100, 6_900)];
    expect(texts({ text: 'One two. Three.', utterances: lines, language: null })).toEqual(['One two.', '', 'Three.']);
  });

  it('parts a line with a speaker where a segment ends: the words after it are said by the same person', () => {
    const line = { ...at('One two three four.', 200, 4_200), speaker: 'A' };
    const answers = unpacked({ text: line.text, utterances: [line], language: 'en' }, PACK);
    expect(answers?.map(({ text }) => text)).toEqual(['One two', 'three', 'four.']);
    for (const { utterances = [] } of answers ?? []) expect(utterances).toMatchObject([{ speaker: 'A' }]);
  });

  it('says how sure the engine is of each segment', () => {
    const lines = [
      { ...at('One.', 200, 1_800), confidence: -0.2 },
      { ...at('Yes.', 2_200, 2_800), confidence: -1.5 },
    ];
    const answers = unpacked({ text: 'One. Yes.', utterances: lines, language: 'en', confidence: -0.5 }, PACK);
    expect(answers?.map(({ confidence }) => confidence)).toEqual([-0.2, -1.5, undefined]);
  });

  it('leaves out silence but for its edges, and puts the words after it where they were said', () => {
    const silences = [at('', 60_000, 60_160), at('', 61_000, 62_000), at('', 62_500, 62_760), at('', 63_900, 64_000)];
    const quiet = { ...segment(60_000, 64_000), silences };
    const pack = packOf([segment(5_000, 7_000), quiet, segment(70_000, 71_000)], { omitted: omittedOf });
    const [, first, second, next] = pack.pieces;
    expect(omittedOf(quiet)).toEqual([{ startMs: 61_040, endMs: 61_960 }]);
    expect([first, second, next]).toEqual([
      expect.objectContaining({ segment: 1, sentMs: 2_000, startMs: 0 }),
      expect.objectContaining({ segment: 1, sentMs: 3_040, startMs: 1_960 }),
      expect.objectContaining({ segment: 2, sentMs: 5_080, startMs: 0 }),
    ]);
    expect(pack.samples).toHaveLength(6_080 * 16);
    const words = [
      at('yes', 2_600, 2_900),
      at('well', 2_900, 3_500),
      at('fine', 3_700, 4_000),
      at('bye', 5_300, 5_600),
    ];
    const line = at('Yes, well, fine. Bye.', 2_600, 5_600);
    const answers = unpacked({ text: line.text, utterances: [line], words, language: 'en' }, pack);
    expect(answers?.map(({ words: own }) => own)).toEqual([
      [],
      [at('Yes,', 600, 900), at('well,', 1_960, 2_420), at('fine.', 2_620, 2_920)],
      [at('Bye.', 220, 520)],
    ]);
  });

  it.each([
    ['runs over the joint', at('with?', 1_920, 2_700), ['Can I help you with?', 'Okay, fine.']],
    ['is pushed over it', at('with?', 2_060, 2_060), ['Can I help you with?', 'Okay, fine.']],
    ['is said after it', at('with?', 2_060, 2_600), ['Can I help you', 'with? Okay, fine.']],
    ['ends a clause and is pushed over it', at('with,', 1_940, 2_120), ['Can I help you with,', 'Okay, fine.']],
    ['is pushed over it after a comma', at('please?', 2_060, 2_060), ['Can I help you, please?', 'Okay, fine.']],
  ])('ends a sentence with its last word where that %s', (_, last, expected) => {
    const pack = packOf([segment(5_000, 7_000), segment(30_000, 32_000)]);
    const you = last.text === 'please?' ? 'you,' : 'you';
    const before = ['Can', 'I', 'help', you].map((word, n) => at(word, 300 + n * 400, 700 + n * 400));
    const words = [...before, last, at('Okay,', 2_700, 3_000), at('fine.', 3_000, 3_500)];
    const text = words.map((word) => word.text).join(' ');
    const answers = unpacked({ text, utterances: [at(text, 300, 3_500)], words, language: 'en' }, pack);
    expect(answers?.map((answer) => answer.text)).toEqual(expected);
    expect(answers?.[0]?.words?.at(-1)?.endMs).toBeLessThan(2_000);
  });

  it('begins a sentence after the joint that its first word is stretched over, and goes on after an abbreviation', () => {
    const pack = packOf([segment(5_000, 7_000), segment(30_000, 32_000)]);
    const eight = [at('At', 300, 500), at('8', 500, 900), at('a.m.', 900, 1_200)];
    const textsOf = (...rest: ReturnType<typeof at>[]) => {
      const words = [...eight, ...rest];
      const text = words.map((word) => word.text).join(' ');
      const answers = unpacked({ text, utterances: [at(text, 300, 3_500)], words, language: 'en' }, pack);
      return answers?.map((answer) => answer.text);
    };
    expect(textsOf(at('Oh,', 1_200, 2_300), at('okay.', 2_300, 2_900))).toEqual(['At 8 a.m.', 'Oh, okay.']);
    expect(textsOf(at('then?', 2_060, 2_200), at('Okay.', 2_300, 2_900))).toEqual(['At 8 a.m. then?', 'Okay.']);
  });

  it('puts words whose times are guessed where there is speech for their sentence', () => {
    const pack = packOf([segment(5_000, 7_000), segment(30_000, 32_000)]);
    const text = 'How are you doing this morning? I am so very fine, thanks.';
    const words = text.split(' ').map((word, index) => at(word, 330 * index, 330 * (index + 1)));
    const answer = { text, utterances: [at(text, 0, 4_000)], words, language: 'en' };
    const skewed = { ...answer, words: words.map((word) => at(word.text, word.startMs * 0.8, word.endMs * 0.8)) };
    expect(unpacked(skewed, pack)?.[0]?.text).toBe('How are you doing this morning? I am');
    const placed = unpacked({ ...skewed, wordTimesGuessed: true }, pack);
    expect(placed?.map((part) => part.text)).toEqual(['How are you doing this morning?', 'I am so very fine, thanks.']);
    expect(placed?.[1]?.words?.[0]).toEqual(at('I', 200, 200));
  });

  it('places words by their times alone where there are more than can be said: aligning would take too long', () => {
    const pack = packOf([segment(5_000, 7_000), segment(30_000, 32_000)]);
    const placed = (count: number) => {
      const ms = 3_200 / count;
      // The sentence ends a little before the words that are in the second segment by their times.
      const end = Math.round((2_000 / ms) * 0.992) - 1;
      const words = Array.from({ length: count }, (_, n) => at(n === end ? 'ha.' : 'ha', n * ms, (n + 1) * ms));
      const text = words.map((word) => word.text).join(' ');
      const answer = { text, utterances: [at(text, 0, 3_200)], words, language: 'en', wordTimesGuessed: true as const };
      return unpacked(answer, pack)?.map((part) => part.words?.length);
    };
    expect(placed(1_000)).toEqual([620, 380]);
    expect(placed(2_000)).toEqual([1_250, 750]);
  });

  it('cannot be taken apart without times, unless nothing was said', () => {
    expect(unpacked({ text: 'One two.', language: 'en' }, PACK)).toBeNull();
    expect(texts({ text: '', language: 'en' })).toEqual(['', '', '']);
  });
});

describe('what is asked again', () => {
  const job = (of: AudioSegment, before: AudioSegment | null = null, after: AudioSegment | null = null) => ({
    place: { segment: of, before, after },
  });
  const [first, second, third] = [segment(5_000, 8_000), segment(30_000, 33_000), segment(60_000, 63_000)];
  const other = { ...segment(40_000, 43_000), channel: 1 };
  const packed = (jobs: Parameters<typeof packedAgain>[0], timed: 'words' | 'lines' | null = 'words') =>
    packedAgain(jobs, timed).map(({ pack, jobs: own }) => [pack.segments.map(({ startMs }) => startMs), own.length]);

  it('is sent together where one person says it, and brings no neighbors then', () => {
    expect(packed([job(first, null, second), job(other), job(third, second)])).toEqual([
      [[5_000, 60_000], 2],
      [[40_000], 1],
    ]);
  });

  it('brings its neighbors where it is short and alone', () => {
    expect(packed([job(second, first, third)])).toEqual([[[5_000, 30_000, 60_000], 1]]);
    expect(packed([job(segment(0, 6_000), first, third)])).toEqual([[[0], 1]]);
  });

  it('fits the window of an engine', () => {
    const jobs = Array.from({ length: 9 }, (_, n) => job(segment(n * 10_000, n * 10_000 + 5_000)));
    expect(packed(jobs).map(([, count]) => count)).toEqual([5, 4]);
  });

  it.each(['lines', null] as const)('is sent alone to an engine without the times of words: %s', (timed) => {
    expect(packed([job(first, null, second), job(third, second)], timed)).toEqual([
      [[5_000], 1],
      [[60_000], 1],
    ]);
  });
});
