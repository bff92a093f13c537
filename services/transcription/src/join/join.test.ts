import { packedTimes, timedWords } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import type { RecordingStats } from '../plan/planner.ts';
import { joinSegments, type SegmentResult } from './join.ts';

const ENGINE = { name: 'openai', model: 'gpt-transcribe' };

function stats(seconds: number, channels: number[], all = channels.reduce((sum, n) => sum + n, 0)): RecordingStats {
  return { seconds, channels: channels.length, speechSeconds: { channels, all }, overlaps: [] };
}

function answered(
  channel: number | null,
  fromSeconds: number,
  toSeconds: number,
  text: string,
  language: string | null = 'en',
): SegmentResult {
  const startMs = fromSeconds * 1000;
  const endMs = toSeconds * 1000;
  const utterances = text === '' ? [] : [{ speaker: channel, startMs, endMs, text }];
  return {
    plan: {
      channel,
      startMs,
      endMs,
      speechStartMs: startMs,
      speechEndMs: endMs,
      speech: [{ startMs, endMs }],
      speechMs: endMs - startMs,
      loudestDb: -15,
      silences: [],
    },
    result: { key: `${channel}:${startMs}`, channel, startMs, endMs, language, utterances },
  };
}

describe('joining the results of the segments', () => {
  it('puts what two people said in the order of time, in whatever order the answers came', () => {
    const transcript = joinSegments(
      stats(20, [8, 6]),
      [answered(1, 12, 15, 'Fine.'), answered(0, 5, 11, 'How are you?'), answered(1, 1, 4, 'Hello?')],
      ENGINE,
    );
    expect(transcript.utterances.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      '1: Hello?',
      '0: How are you?',
      '1: Fine.',
    ]);
    expect(transcript).toMatchObject({ speakersBy: 'channels', language: 'en', engine: ENGINE });
    expect(transcript.audio).toMatchObject({ seconds: 20, channels: 2, coveredSeconds: 12, speechSeconds: [8, 6] });
  });

  it('names no speakers when only one channel talks: it may be two people on one line', () => {
    const transcript = joinSegments(stats(20, [10, 0.04]), [answered(0, 1, 11, 'Hello? Hello.')], ENGINE);
    expect(transcript.speakersBy).toBe('nothing');
    expect(transcript.utterances[0]?.speaker).toBeNull();
    expect(transcript.audio.speechSeconds).toEqual([10.04]);
  });

  it('names no speakers when a crackle on the second channel is all there is of it', () => {
    const transcript = joinSegments(
      stats(100, [50, 0.5]),
      [answered(0, 1, 51, 'A long talk.'), answered(1, 60, 60.5, 'Oh.')],
      ENGINE,
    );
    expect(transcript.speakersBy).toBe('nothing');
  });

  it('names no speakers when most of the recording holds the same on both channels', () => {
    const transcript = joinSegments(
      stats(100, [4, 3], 90),
      [answered(null, 1, 80, 'A talk.'), answered(0, 81, 85, 'One.'), answered(1, 86, 89, 'Two.')],
      ENGINE,
    );
    expect(transcript.speakersBy).toBe('nothing');
    expect(transcript.utterances.every(({ speaker }) => speaker === null)).toBe(true);
  });

  it('takes the language of most of the text', () => {
    const segments = [
      answered(0, 1, 2, 'Hallo', 'de'),
      answered(1, 3, 9, 'Good morning, how can I help you?', 'en'),
      answered(0, 10, 11, '', 'nn'),
      answered(1, 12, 13, 'x', null),
    ];
    expect(joinSegments(stats(20, [2, 7]), segments, ENGINE).language).toBe('en');
    expect(joinSegments(stats(20, [2, 7]), [answered(0, 1, 2, 'Hm', null)], ENGINE).language).toBeNull();
  });

  it('takes a second language only where long segments were heard in it more than once', () => {
    const heardGerman = (from: number, to: number) => {
      const { plan, result } = answered(0, from, to, 'Good dug.');
      const german = { language: 'de', utterances: answered(0, from, to, 'Guten Tag.').result.utterances };
      return { plan, result: { ...result, toldLanguage: 'en', other: german } };
    };
    const english = answered(1, 8, 20, 'Good morning.');
    const texts = (segments: SegmentResult[]) =>
      joinSegments(stats(60, [20, 20]), segments, ENGINE, { language: 'en' }).utterances.map(
        ({ text, language }) => `${language ?? 'main'}: ${text}`,
      );
    expect(texts([heardGerman(0, 8), english])).toEqual(['main: Good dug.', 'main: Good morning.']);
    expect(texts([heardGerman(0, 8), english, heardGerman(30, 33)])[0]).toBe('main: Good dug.');
    expect(
      texts([heardGerman(0, 8), english, heardGerman(30, 38)]).filter((text) => text === 'de: Guten Tag.'),
    ).toHaveLength(2);
  });

  it('drops words in a foreign script, with the reason', () => {
    const { utterances, audio } = joinSegments(
      stats(20, [10, 4]),
      [answered(0, 1, 11, 'All right, see you soon.'), answered(1, 12, 13, '拜拜', 'zh')],
      ENGINE,
      { language: 'en' },
    );
    expect(utterances.map(({ text }) => text)).toEqual(['All right, see you soon.']);
    expect(audio.dropped).toContainEqual({ startMs: 12_000, endMs: 13_000, reason: 'foreign_script' });
  });

  it('keeps the times of the words that are left when others are dropped', () => {
    const text = 'All right 拜拜 see you no no no no no no no no no no soon.';
    const spoken = answered(0, 1, 11, text);
    const times = text.split(' ').map((_, index) => ({ startMs: 1_000 + 600 * index, endMs: 1_500 + 600 * index }));
    const utterances = spoken.result.utterances.map((each) => ({ ...each, words: packedTimes(times, 1_000) ?? '' }));
    const heard = { ...spoken, result: { ...spoken.result, utterances } };
    const [said] = joinSegments(stats(20, [10]), [heard], ENGINE, { language: 'en' }).utterances;
    expect(said && timedWords(said).map((word) => `${word.text} ${word.startMs}`)).toEqual([
      'All 1000',
      'right 1600',
      'see 2800',
      'you 3400',
      'no 4000',
      'soon. 10000',
    ]);
  });

  it('records the silence within a segment that was not sent', () => {
    const omitted = [
      { startMs: 6_000, endMs: 7_500 },
      { startMs: 8_000, endMs: 8_400 },
    ];
    const { audio } = joinSegments(stats(11, [10]), [{ ...answered(null, 1, 10, 'Well, yes.'), omitted }], ENGINE);
    expect(audio.coveredSeconds).toBeCloseTo(7.1);
    expect(audio.dropped).toEqual([
      { startMs: 0, endMs: 1_000, reason: 'silence' },
      { startMs: 6_000, endMs: 7_500, reason: 'silence' },
      { startMs: 10_000, endMs: 11_000, reason: 'silence' },
    ]);
  });

  it('records every silence, and what the engine said that nobody did', () => {
    const { audio, utterances } = joinSegments(
      stats(60, [10], 10),
      [
        answered(null, 5, 10, 'Hello.'),
        { ...answered(null, 30, 30.3, 'Thank you.'), plan: { ...answered(null, 30, 30.3, '').plan, loudestDb: -54 } },
        answered(null, 10.5, 15, 'Yes?'),
      ],
      ENGINE,
    );
    expect(audio.dropped).toEqual([
      { startMs: 0, endMs: 5_000, reason: 'silence' },
      { startMs: 15_000, endMs: 30_000, reason: 'silence' },
      { startMs: 30_000, endMs: 30_300, reason: 'words_on_silence' },
      { startMs: 30_300, endMs: 60_000, reason: 'silence' },
    ]);
    expect(utterances.map(({ text }) => text)).toEqual(['Hello.', 'Yes?']);
  });

  it('keeps what a person says in haste who usually talks fast', () => {
    const fast = 'and then we can take care of it for you at no cost';
    const hasty = 'so just let me know what would be the best for you and we will get you in as soon as we can';
    const lines = (count: number, said: string) =>
      Array.from({ length: count }, (_, index) => answered(0, 10 * index, 10 * index + 2.4, said));
    const said = (results: SegmentResult[]) =>
      joinSegments(stats(90, [30]), [...results, answered(0, 80, 82.8, hasty)], ENGINE).utterances.at(-1)?.text;
    expect(said(lines(5, fast))).toBe(hasty);
    expect(said(lines(3, fast))).toBe(fast);
    expect(said(lines(5, 'we can take care of that'))).toBe('we can take care of that');
  });

  it('counts no pause within a sentence as speech of a speaker that the engine named', () => {
    const said = (from: number, to: number, text: string, speaker: string): SegmentResult => {
      const { plan, result } = answered(null, from, to, text);
      const label = { request: 'one', speaker };
      return { plan, result: { ...result, utterances: result.utterances.map((each) => ({ ...each, label })) } };
    };
    const segments = [
      said(1, 4, 'I got a car and', 'A'),
      said(6, 9, 'a light came on.', 'A'),
      said(10, 12, 'I see.', 'B'),
    ];
    const { audio, utterances } = joinSegments(stats(20, [8], 8), segments, ENGINE, {
      linked: { speakers: [0, 1], confidence: 1 },
    });
    expect(utterances.map(({ text }) => text)).toEqual(['I got a car and a light came on.', 'I see.']);
    expect(audio.speechSeconds).toEqual([6, 2]);
  });

  it('accounts for each second: heard, silent, music, or unanswered with its reason', () => {
    const empty = answered(1, 30, 34, '');
    const late = answered(1, 40, 42, '');
    const segments = [
      answered(0, 5, 15, 'Good morning, how are you?'),
      answered(1, 14, 16, 'Fine.'),
      answered(0, 20, 28, '[Music]'),
      empty,
      { ...late, result: { ...late.result, unanswered: 'engine_timeout' } },
    ];
    const { audio } = joinSegments(stats(60.05, [18, 8]), segments, ENGINE);
    expect(audio.coverage).toEqual({ heard: 11, music: 8, unanswered: 6, silent: expect.closeTo(35.05, 5) });
    expect(audio.dropped.filter(({ reason }) => reason !== 'silence')).toEqual([
      { startMs: 20_000, endMs: 28_000, reason: 'sounds_as_words' },
      { startMs: 30_000, endMs: 34_000, reason: 'no_words' },
      { startMs: 40_000, endMs: 42_000, reason: 'engine_timeout' },
    ]);
  });

  it('of a silent recording is an empty transcript that says so', () => {
    expect(joinSegments(stats(30, [0, 0], 0), [], ENGINE)).toEqual({
      language: null,
      utterances: [],
      speakersBy: 'nothing',
      engine: ENGINE,
      audio: {
        seconds: 30,
        channels: 2,
        coveredSeconds: 0,
        speechSeconds: [0],
        anySpeechSeconds: 0,
        cutOff: null,
        overlaps: [],
        coverage: { heard: 0, silent: 30, music: 0, unanswered: 0 },
        dropped: [{ startMs: 0, endMs: 30_000, reason: 'silence' }],
      },
    });
  });
});
