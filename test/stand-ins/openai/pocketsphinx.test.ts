import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import { audioFile } from '../../audio/manifest.ts';
import { itNeeds, program } from '../../requirements.ts';
import { decodeAudio } from './decode.ts';
import { startStandIn } from './index.ts';
import { mp3Of } from './mp3.testing.ts';
import { transcribe } from './requests.testing.ts';
import { wordErrorRate } from './words.testing.ts';

const call = audioFile('bundled-call.mp3');

describe('real recognition behind the stand-in', () => {
  for (const [channel, index] of [
    ['left', 0],
    ['right', 1],
  ] as const) {
    itNeeds(
      program('pocketsphinx_continuous'),
      `gets at least three of four words of the ${channel} channel of the bundled call right`,
      async () => {
        const standIn = await startStandIn({ speech: 'pocketsphinx' });
        const samples = decodeAudio(readFileSync(call.path), 'stereo')?.channels[index] ?? new Int16Array();
        const { status, body } = await transcribe(standIn, mp3Of(samples, 48));
        await standIn.close();
        expect(status).toBe(200);
        const spoken = call.turns.filter((turn) => turn.channel === channel).map(({ text }) => text);
        expect(wordErrorRate(spoken.join(' '), (body as { text: string }).text)).toBeLessThan(0.25);
      },
      180_000,
    );
  }
});
