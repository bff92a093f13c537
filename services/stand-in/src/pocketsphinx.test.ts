import { readFileSync } from 'node:fs';
import { itNeeds, program } from '@call-analytics/test/requirements.fixture.ts';
import { describe, expect } from '@jest/globals';
import { decodeAudio } from './decode.ts';
import { startStandIn } from './index.ts';
import { audioFile } from './recordings.ts';
import { mp3Of, transcribe, wordErrorRate } from './requests.fixture.ts';
import { SAMPLE_RATE } from './spectrum.ts';

const call = audioFile('bundled-call.mp3');
/** Recognizing takes a quarter of the time of the sound and more on a busy machine. */
const FIRST_SECONDS = 60;

describe('real recognition behind the stand-in', () => {
  for (const [channel, index] of [
    ['left', 0],
    ['right', 1],
  ] as const) {
    itNeeds(
      program('pocketsphinx_continuous'),
      `gets at least three of four words of the ${channel} channel of the bundled call right, in its first minute`,
      async () => {
        const standIn = await startStandIn({ speech: 'pocketsphinx' });
        const samples = decodeAudio(readFileSync(call.path), 'stereo')?.channels[index] ?? new Int16Array();
        const { status, body } = await transcribe(standIn, mp3Of(samples.slice(0, FIRST_SECONDS * SAMPLE_RATE), 48));
        await standIn.close();
        expect(status).toBe(200);
        const spoken = call.turns
          .filter((turn) => turn.channel === channel)
          .flatMap(({ words }) => words)
          .filter(({ endMs }) => endMs < FIRST_SECONDS * 1000)
          .map(({ text }) => text);
        expect(wordErrorRate(spoken.join(' '), (body as { text: string }).text)).toBeLessThan(0.25);
      },
      180_000,
    );
  }
});
