import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itNeeds, REAL_RECORDINGS, realRecording } from '@call-analytics/test/requirements.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { Decoding } from '../decode/decode.ts';
import { type AudioSegment, Planner } from '../plan/planner.ts';
import { segmentShape } from '../plan/segment-cutter.ts';
import { alignWords, fitTimes, type Sounding, type TimedText } from './fit-times.ts';

const speech = [
  { startMs: 1_000, endMs: 3_000 },
  { startMs: 3_400, endMs: 4_000 },
  { startMs: 7_000, endMs: 8_000 },
];
const said = (startMs: number, endMs: number, text: string): TimedText => ({ startMs, endMs, text });
const linesOf = (lines: readonly TimedText[]) => lines.map(({ startMs, endMs, text }) => said(startMs, endMs, text));
const timesOf = (lines: readonly TimedText[]) =>
  lines.map(({ words }) => words?.map(({ startMs, endMs }) => [startMs, endMs]));

describe('words and the speech that they belong to', () => {
  const evenly = (text: string, from: number, to: number) => {
    const words = text.split(' ');
    const at = (index: number) => from + ((to - from) * index) / words.length;
    return words.map((word, index) => said(at(index), at(index + 1), word));
  };
  const spoken = (words: readonly TimedText[], soundings: readonly Sounding[]) =>
    alignWords(words, soundings).reduce<string[]>((texts, at, index) => {
      texts[at] = [texts[at] ?? [], words[index]?.text].flat().join(' ');
      return texts;
    }, []);

  it('a sentence stays whole where times are guessed: pauses are between sentences', () => {
    const soundings = [
      { startMs: 0, endMs: 3_000, pauseMs: 0 },
      { startMs: 3_200, endMs: 4_700, pauseMs: 5_000 },
      { startMs: 4_900, endMs: 5_300, pauseMs: 6_000 },
    ];
    const words = evenly(
      'What is your last name so that I can look you up? Could you spell it, please? Okay.',
      0,
      5_300,
    );
    const first = words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 < 3_100).map(({ text }) => text);
    expect(first.at(-1)).not.toBe('up?');
    expect(spoken(words, soundings)).toEqual([
      'What is your last name so that I can look you up?',
      'Could you spell it, please?',
      'Okay.',
    ]);
  });

  it('words that the engine places exactly stay where they are, with a pause in the sentence too', () => {
    const soundings = [
      { startMs: 0, endMs: 1_500, pauseMs: 0 },
      { startMs: 2_700, endMs: 4_200, pauseMs: 1_200 },
    ];
    const words = [...evenly('I would like to', 0, 1_500), ...evenly('see it first, then.', 2_700, 4_200)];
    expect(spoken(words, soundings)).toEqual(['I would like to', 'see it first, then.']);
  });

  it('no word is given to speech that is far from it, and sounds may have none', () => {
    const soundings = [
      { startMs: 0, endMs: 1_000, pauseMs: 0 },
      { startMs: 10_000, endMs: 10_400, pauseMs: 9_000 },
      { startMs: 20_000, endMs: 21_000, pauseMs: 9_600 },
    ];
    const words = [...evenly('Hello there, Mr.', 0, 1_000), ...evenly('Brown, good morning.', 20_000, 21_000)];
    expect(spoken(words, soundings)).toEqual(['Hello there, Mr.', undefined, 'Brown, good morning.']);
  });
});

describe('times of utterances without times of words', () => {
  it('that lie in silence are moved to the speech', () => {
    expect(fitTimes(speech, [said(0, 5_600, 'Hello there.'), said(6_000, 9_500, 'Bye.')])).toEqual([
      said(1_000, 4_000, 'Hello there.'),
      said(7_000, 8_000, 'Bye.'),
    ]);
  });

  it('that lie a little inside speech are moved to its edges, unless another utterance is there', () => {
    expect(fitTimes(speech, [said(1_400, 2_600, 'One.')])).toEqual([said(1_000, 3_000, 'One.')]);
    expect(fitTimes(speech, [said(1_000, 2_000, 'One.'), said(2_000, 3_000, 'Two.')])).toEqual([
      said(1_000, 2_000, 'One.'),
      said(2_000, 3_000, 'Two.'),
    ]);
  });

  it('stay where there is no speech near them: such words are judged later', () => {
    expect(fitTimes(speech, [said(4_500, 6_500, 'Thank you.')])).toEqual([said(4_500, 6_500, 'Thank you.')]);
  });
});

describe('times of utterances with times of words', () => {
  it('begin and end with the speech, and end at a pause of a second', () => {
    const words = [
      said(0, 1_500, 'my'),
      said(1_500, 4_100, 'name'),
      said(4_100, 7_900, 'is'),
      said(7_900, 9_000, 'Jo'),
    ];
    expect(linesOf(fitTimes(speech, [said(0, 9_000, 'My name is… Jo.')], words))).toEqual([
      said(1_000, 4_000, 'My name'),
      said(7_000, 8_000, 'is… Jo.'),
    ]);
  });

  it('have their words within the speech, each after the one before', () => {
    const words = [
      said(0, 1_500, 'my'),
      said(1_400, 4_100, 'name'),
      said(4_100, 7_900, 'is'),
      said(7_900, 9_000, 'Jo'),
    ];
    expect(timesOf(fitTimes(speech, [said(0, 9_000, 'My name — is… Jo.')], words))).toEqual([
      [
        [1_000, 1_500],
        [1_500, 3_000],
      ],
      [
        [7_000, 7_900],
        [7_900, 8_000],
      ],
    ]);
  });

  it('join utterances that the engine cut in the middle of speech', () => {
    const words = [said(1_000, 2_000, 'look'), said(2_000, 3_000, 'up')];
    expect(linesOf(fitTimes(speech, [said(1_000, 2_000, 'Look'), said(2_000, 3_000, 'up.')], words))).toEqual([
      said(1_000, 4_000, 'Look up.'),
    ]);
  });

  it('are not used when the words are not those of the text', () => {
    const words = [said(1_000, 2_000, 'look'), said(2_000, 3_000, 'down')];
    expect(fitTimes(speech, [said(0, 2_900, 'Look up.')], words)).toEqual([said(1_000, 3_000, 'Look up.')]);
  });
});

const STEREO = 'real-phone-call-8khz-stereo.flac';

/**
 * What Whisper base answered for each segment of the call (a sample of AWS, Apache-2.0), in faster-whisper: start and end
 * in ms from the start of the segment, and text.
 */
interface Recorded {
  channel: number;
  startMs: number;
  endMs: number;
  utterances: [number, number, string][];
  words: [number, number, string][];
}

describe('a real call with the answers of a real engine', () => {
  itNeeds(realRecording(STEREO), 'has every question above its answer, and no time in silence', async () => {
    const answers: Recorded[] = JSON.parse(await readFile(new URL('real-answers.json', import.meta.url), 'utf8'));
    const segments = await segmentsOf(STEREO);
    const lines = segments.flatMap(({ channel, startMs, speech: stretches }) => {
      const answer = answers.find((candidate) => candidate.channel === channel && candidate.startMs === startMs);
      if (answer === undefined) throw new Error(`no recorded answer for ${channel}:${startMs}`);
      const timed = ([from, to, text]: [number, number, string]) => said(startMs + from, startMs + to, text);
      const fitted = fitTimes(stretches, answer.utterances.map(timed), answer.words.map(timed));
      return fitted.map((line) => ({ ...line, channel, stretches }));
    });
    lines.sort((a, b) => a.startMs - b.startMs);
    const order = [
      /last name so I can look/,
      /last name is/,
      /spell that/,
      /^F-I-T/,
      /make and model|mic and model/,
      /2018/,
    ];
    order.push(
      /How soon|how soon/,
      /first availability/,
      /prefer between 3/,
      /8 and 10/,
      /8 a\.m\. then/,
      /let's do it/,
    );
    const found = order.map((phrase) => lines.findIndex(({ text }) => phrase.test(text)));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
    for (const { startMs, endMs, stretches } of lines) {
      expect(stretches.map((stretch) => stretch.startMs)).toContain(startMs);
      expect(stretches.map((stretch) => stretch.endMs)).toContain(endMs);
    }
    for (const { text, words: timed = [], stretches } of lines) {
      expect(timed).toHaveLength(text.split(' ').length);
      for (const { startMs, endMs } of timed)
        expect(stretches.some((stretch) => stretch.startMs <= startMs && endMs <= stretch.endMs)).toBe(true);
    }
    const words = lines.flatMap(({ text }) => text.split(' '));
    expect(words).toHaveLength(
      answers.flatMap(({ utterances }) => utterances.flatMap(([, , text]) => text.split(' '))).length,
    );
  });
});

async function segmentsOf(file: string): Promise<AudioSegment[]> {
  const dir = await mkdtemp(join(tmpdir(), 'fit-times-'));
  await copyFile(join(REAL_RECORDINGS, file), join(dir, 'recording'));
  const limits = { timeMs: 60_000, memoryBytes: 2 ** 30, audioSeconds: 3_600 };
  const decoding = new Decoding(dir, limits, new AbortController().signal);
  try {
    const planner = new Planner(await decoding.open(1e9), segmentShape({ maxSeconds: 480, timestamps: true }));
    const segments: AudioSegment[] = [];
    for await (const samples of decoding.samples()) segments.push(...planner.push(samples));
    return [...segments, ...planner.end().segments];
  } finally {
    await decoding.close();
    await rm(dir, { recursive: true });
  }
}
