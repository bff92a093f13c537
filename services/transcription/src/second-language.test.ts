import { describe, expect, it } from '@jest/globals';
import type { EngineAnswer } from './engines/engine.ts';
import type { AudioSegment } from './plan/planner.ts';
import { SecondLanguage } from './second-language.ts';

/** 16 s of speech with a pause of 0.3 s after 6 s. */
const SEGMENT: AudioSegment = {
  channel: 0,
  startMs: 1_000,
  endMs: 17_500,
  speechStartMs: 1_100,
  speechEndMs: 17_400,
  speechMs: 16_000,
  loudestDb: -20,
  silences: [],
  speech: [
    { startMs: 1_100, endMs: 7_100 },
    { startMs: 7_400, endMs: 17_400 },
  ],
  samples: new Int16Array(16_500 * 16),
};
const doubtful = (text = 'Ola, que tal?'): EngineAnswer => ({ text, language: 'en', confidence: -1.2 });

function asking(languageOf: (seconds: number) => string) {
  const asked: number[] = [];
  const second = new SecondLanguage([], async ({ samples }) => {
    const seconds = samples.length / 16_000;
    asked.push(seconds);
    return { text: 'Hola, ¿qué tal?', language: languageOf(seconds) };
  });
  return { asked, of: (answer: EngineAnswer) => second.evidence(SEGMENT, answer, 'en', true) };
}

describe('a long segment that fits the language of the call badly', () => {
  it('is asked whole once its beginning was heard in another language', async () => {
    const { asked, of } = asking(() => 'es');
    expect(await of(doubtful())).toMatchObject({ language: 'es', utterances: [{ text: 'Hola, ¿qué tal?' }] });
    expect(asked).toEqual([6.16, 16.5]);
  });

  it('is paid for only to its first pause where noise was the reason, and the third one not at all', async () => {
    const { asked, of } = asking(() => 'en');
    for (let n = 0; n < 3; n += 1) expect(await of(doubtful())).toBeNull();
    expect(asked).toEqual([6.16, 6.16]);
  });

  it('is asked whole at any time where the words are in a foreign script', async () => {
    const { asked, of } = asking((seconds) => (seconds > 10 ? 'ru' : 'en'));
    for (let n = 0; n < 2; n += 1) await of(doubtful());
    expect(await of(doubtful('алло'))).toMatchObject({ language: 'ru' });
    expect(asked).toEqual([6.16, 6.16, 16.5]);
  });
});
