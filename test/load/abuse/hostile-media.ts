import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { failureOf } from '@call-analytics/service-kit';
import { flacBomb, wavOf } from '@call-analytics/transcription/decode/hostile.fixture.ts';
import { HEAD_BYTES, recognize } from '../../../services/api-gateway/src/upload/recording.ts';
import { Decoding } from '../../../services/transcription/src/decode/decode.ts';
import { bounded, type Context, type Measure, type Result } from '../harness/measure.ts';

/** The defaults of DECODE_TIME_LIMIT, DECODE_MEMORY_LIMIT and MAX_AUDIO_DURATION. */
const LIMITS = { timeMs: 600_000, memoryBytes: 512 * 2 ** 20, audioSeconds: 6 * 3_600 };
const MAX_MS = 60_000;

/** Small files that decode to hours: refused at upload by their first bytes, or by the decoder within seconds. */
export const hostileMedia: Measure = {
  name: 'abuse/hostile-media',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const bytes = quick ? 200_000 : 8_000_000;
    const recordings: [what: string, recording: Buffer][] = [
      ['FLAC, 8 channels at 655,350 Hz', flacBomb({ bytes, sampleRate: 655_350, channels: 8 })],
      ['FLAC, 8 channels at 192 kHz', flacBomb({ bytes, sampleRate: 192_000, channels: 8 })],
      [
        'FLAC, 8 channels at 192 kHz, no length in its header',
        flacBomb({ bytes, sampleRate: 192_000, channels: 8, declared: false }),
      ],
      [
        'FLAC, stereo at 48 kHz, no length in its header',
        flacBomb({ bytes, sampleRate: 48_000, channels: 2, declared: false }),
      ],
      ['WAV at 8 Hz', wavOf(8, 320_000)],
    ];
    const results: Result[] = [];
    for (const [what, recording] of recordings) {
      const directory = workspace.folder('hostile-media');
      writeFileSync(join(directory, 'recording'), recording);
      const upload = await recognize(recording.subarray(0, HEAD_BYTES), false);
      const { ms, outcome } = await rejected(directory, recording.length);
      progress(`${what}: ${outcome} after ${Math.round(ms)} ms`);
      const notes = [
        `the decoder answers ${outcome}`,
        'unacceptable' in upload ? 'refused at upload' : 'accepted at upload',
      ];
      results.push(
        bounded(
          `${what}, ${(recording.length / 1e6).toFixed(1)} MB: until rejected`,
          'ms',
          [ms],
          { atMost: MAX_MS },
          { notes },
        ),
      );
    }
    return results;
  },
};

/** @throws Error when the recording is decoded to its end */
async function rejected(directory: string, fileBytes: number): Promise<{ ms: number; outcome: string }> {
  const began = performance.now();
  const decoding = new Decoding(directory, LIMITS, new AbortController().signal);
  try {
    await decoding.open(fileBytes);
    for await (const _ of decoding.samples());
  } catch (error) {
    return { ms: performance.now() - began, outcome: failureOf(error).code };
  } finally {
    await decoding.close();
  }
  throw new Error('a hostile recording was decoded to its end');
}
