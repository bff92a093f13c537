import { timedWords } from '@call-analytics/calls';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RATE } from '../audio/wave.ts';
import { describeNeeds, itNeeds, realRecording } from '../requirements.fixture.ts';
import type { Times } from './exact-engine.ts';
import { aligned, amidTurns, wordsOf } from './measure.ts';
import { recognizer, startRecognizer } from './recognizer.fixture.ts';
import { corpus, type Recorded } from './recordings.ts';
import { type Row, rowOf } from './run.ts';

async function transcribed(name: string, times: Times = 'words', limits?: { maxSeconds: number }): Promise<Row> {
  return await rowOf(recorded(name), times, limits);
}

function recorded(name: string): Recorded {
  const recording = corpus().recordings.find((candidate) => candidate.name === name);
  if (recording === undefined) throw new Error(`no recording ${name}`);
  return recording.make();
}

const NOTHING_LOST = { wrong: 0, lost: 0, added: 0 };

// The words are those of an exact engine. The other bounds are a little worse than what `npm run transcripts` measured.
describe('a call with a person on each channel', () => {
  it.each(['words', 'lines', 'none'] as const)(
    'has each word once under its person, with an engine that gives %s',
    async (times) => {
      const row = await transcribed('made: stereo', times);
      expect(row.words).toMatchObject(NOTHING_LOST);
      expect(row.rightRole).toBe(1);
      expect(row.rightTime).toBe(1);
      expect(row.rightWordTime).toEqual(times === 'words' ? expect.closeTo(1, 2) : null);
      expect(row.derCollar).toBeLessThan(0.01);
      expect(row.coverageGap).toBeLessThan(0.1);
      expect(row.billed).toBeLessThan((times === 'words' ? 1.1 : 1.3) * row.speechSeconds);
    },
  );

  it('loses no word to minutes of silence, and does not pay for them', async () => {
    const row = await transcribed('made: a minute of silence, three times');
    expect(row.words).toMatchObject(NOTHING_LOST);
    expect(row.billed).toBeLessThan(1.3 * row.speechSeconds);
  });
});

describe('a call in one channel', () => {
  let row: Row;
  beforeAll(async () => {
    row = await transcribed('made: mono, -6 dB');
  });

  it('has each word once under its person', () => {
    expect(row.words).toMatchObject(NOTHING_LOST);
    expect(row.rightRole).toBeGreaterThan(0.99);
    expect(row.derCollar).toBeLessThan(0.01);
    expect(row.confidence).toBeGreaterThan(0.9);
    expect(row.rightWordTime).toBeGreaterThan(0.98);
  });

  it('accounts for each second', () => {
    expect(row.coverageGap).toBeLessThan(0.1);
  });

  it('loses next to no word to noise that is 10 dB softer than the speech', async () => {
    const { words, rightRole } = await transcribed('made: mono, noise 10 dB');
    expect(words.lost).toBeLessThan(0.02 * words.said);
    expect(rightRole).toBeGreaterThan(0.99);
  });
});

describe('an engine that names the speakers of each request anew', () => {
  it.each([
    ['made: mono, -6 dB', 2],
    ['made: three people, mono', 3],
  ])('names the same people throughout the call: %s', async (name, people) => {
    const row = await transcribed(name, 'speakers', { maxSeconds: 40 });
    expect(row.requests).toBeGreaterThan(4);
    expect(row.transcript.speakersBy).toBe('engine');
    expect(new Set(row.transcript.utterances.map(({ speaker }) => speaker)).size).toBe(people);
    expect(row.words).toMatchObject(NOTHING_LOST);
    expect(row.rightRole).toBe(1);
    expect(row.confidence).toBeGreaterThan(0.8);
    expect(row.billed).toBeLessThan(1.3 * row.speechSeconds);
  });
});

describe('three people in one channel', () => {
  it('have each word once; two of them get a role, the third is another speaker', async () => {
    const row = await transcribed('made: three people, mono');
    expect(row.words).toMatchObject(NOTHING_LOST);
    expect(new Set(row.transcript.utterances.map(({ speaker }) => speaker)).size).toBe(3);
    expect(row.rightRole).toBeGreaterThan(0.99);
    expect(row.confidence).toBeGreaterThan(0.6);
  });
});

describe('a real recognizer', () => {
  itNeeds(
    recognizer,
    'gives nine of ten words their times to 0.3 s, each after the one before, within its turn',
    async () => {
      const { url, stop } = await startRecognizer('tiny.en');
      const env = { TRANSCRIPTION_BASE_URL: url, TRANSCRIPTION_MODEL: 'Systran/faster-whisper-base' };
      const row = rowOf(beginning(recorded('made: stereo'), 22), env);
      const { transcript, words, rightWordTime } = await row.finally(stop);
      expect(words.said).toBeGreaterThan(50);
      expect(words.wrong + words.lost + words.added).toBeLessThan(0.2 * words.said);
      expect(rightWordTime).toBeGreaterThan(0.9);
      for (const utterance of transcript.utterances) {
        const timed = timedWords(utterance);
        expect(timed).not.toEqual([]);
        const edges = [utterance, ...timed].map(({ startMs }) => startMs).concat(utterance.endMs);
        expect(edges).toEqual(edges.toSorted((a, b) => a - b));
        for (const { startMs, endMs } of timed) expect(endMs).toBeGreaterThanOrEqual(startMs);
      }
    },
    300_000,
  );
});

/** @param recording a WAV file of two channels */
function beginning(recording: Recorded, seconds: number): Recorded {
  const bytes = recording.bytes.subarray(0, 44 + 4 * RATE * seconds);
  return { ...recording, bytes, spoken: recording.spoken.filter(({ endMs }) => endMs <= 1000 * seconds) };
}

describeNeeds(realRecording('real-phone-call-8khz-mono.wav'), 'a real call that was recorded in mono', () => {
  it('has more words under their person by the speakers of the engine than by voice', async () => {
    const row = await transcribed('real: recorded in mono', 'speakers', { maxSeconds: 40 });
    expect(row.words.lost + row.words.added).toBeLessThan(0.01 * row.words.said);
    expect(row.rightRole).toBeGreaterThan(0.99);
  });

  it('has next to each word once, for 1.16 s a second', async () => {
    const row = await transcribed('real: recorded in mono');
    expect(row.billed).toBeLessThan(1.16 * row.speechSeconds);
    expect(row.words.lost + row.words.added).toBeLessThan(0.01 * row.words.said);
  });
});

describeNeeds(realRecording('real-phone-call-8khz-stereo.flac'), 'a real call', () => {
  it.each(['stereo', 'mono, 0 dB', 'stereo, noise 20 dB'])(
    'has each word once under its person, for 1.11 s a second: %s',
    async (name) => {
      const row = await transcribed(`real: ${name}`);
      expect(row.billed).toBeLessThan(1.11 * row.speechSeconds);
      expect(row.coverageGap).toBeLessThan(0.1);
      expect(row.words.lost).toBeLessThan(0.02 * row.words.said);
      expect(row.words.added).toBeLessThan(0.02 * row.words.said);
      expect(row.rightRole).toBeGreaterThan(0.97);
    },
  );
});

describe('the comparison', () => {
  it('pairs equal words, and leaves out those that only one side has', () => {
    expect(aligned(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'e', 'd'])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 4],
    ]);
    expect(aligned([], ['a'])).toEqual([]);
  });

  it('does not judge the role of misheard words at a change of speaker: they may be paired with those of the other', () => {
    const said = [...'abcd']
      .map((word) => ({ word, speaker: 0 }))
      .concat([...'efgh'].map((word) => ({ word, speaker: 1 })));
    const line = { role: 'manager', speaker: 0, startMs: 0, endMs: 0, text: '' } as const;
    const judged = (heard: string) =>
      amidTurns(
        said.flatMap((word, index) =>
          heard[index] === '-' ? [] : [{ said: word, heard: { word: heard[index] as string, line } }],
        ),
        said,
      )
        .map((pair) => pair.said.word)
        .join('');
    expect(judged('aXcdefYh')).toBe('abcdefgh');
    expect(judged('abcXYfgh')).toBe('abcfgh');
    expect(judged('abX-efgh')).toBe('abefgh');
    expect(judged('Xbcd-fgZ')).toBe('abcdfgh');
  });

  it('pairs the words of hours', () => {
    const said = Array.from({ length: 20_000 }, (_, n) => `word${n % 5_003}`);
    const heard = said.flatMap((word, n) => (n % 97 === 0 ? [] : n % 97 === 50 ? [word, 'uh'] : [word]));
    const pairs = aligned(said, heard);
    expect(pairs.every(([i, j]) => said[i] === heard[j])).toBe(true);
    expect(pairs).toHaveLength(said.filter((_, n) => n % 97 !== 0).length);
  });

  it('reads digits as words', () => {
    expect(wordsOf('It’s 2 o’clock, No. 17.')).toEqual(['its', 'two', 'oclock', 'no', '17']);
  });
});
