import { packedTimes, type Transcript } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { spansOf } from '../openai/prompt.ts';
import { analyzeByRules } from '../rules/analyze.ts';
import { linesOf } from './observations.ts';

const TEXT = 'Good morning, this is Anna. Hello, what does it cost? – Twenty dollars.';
/** Anna takes long, then they speak fast: shares of the letters would give other times. */
const TIMES = [1_000, 2_000, 3_000, 4_000, 5_000, 8_000, 8_200, 8_400, 8_600, 8_800, 9_500, 9_700].map((startMs) => ({
  startMs,
  endMs: startMs + 150,
}));
const transcript: Transcript = {
  language: 'en',
  utterances: [
    { speaker: null, startMs: 900, endMs: 10_000, text: TEXT, words: packedTimes(TIMES, 900) ?? '' },
    { speaker: null, startMs: 20_000, endMs: 22_000, text: 'Yes. No.' },
  ],
  speakersBy: 'nothing',
  engine: { name: 'x', model: 'y' },
  audio: { seconds: 30, channels: 1, coveredSeconds: 12, speechSeconds: [12], dropped: [] },
};

describe('the lines of an utterance', () => {
  it('begin and end with their words where the times of these are known, otherwise by their share of the text', () => {
    const spans = spansOf(transcript);
    const roles = spans.map(({ text }) => (/Anna|dollars|No/.test(text) ? 'manager' : 'customer'));
    const { lines } = linesOf(transcript, spans, roles);
    expect(lines.map(({ startMs, endMs, text }) => [startMs, endMs, text])).toEqual([
      [900, 5_150, 'Good morning, this is Anna.'],
      [8_000, 8_950, 'Hello, what does it cost?'],
      [9_500, 10_000, '– Twenty dollars.'],
      [20_000, 21_000, 'Yes.'],
      [21_250, 22_000, 'No.'],
    ]);
  });

  it('are found so by the rules', async () => {
    const { lines } = await analyzeByRules(transcript);
    for (const { startMs, endMs, text } of lines) {
      const words = TIMES.filter((word) => word.startMs >= startMs && word.endMs <= endMs);
      if (startMs < 20_000) expect(words).toHaveLength(text.split(' ').filter((word) => word !== '–').length);
    }
  });
});
