import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiError } from './faults.ts';
import { type Heard, recognizeKnown } from './known-text.ts';
import { SAMPLE_RATE } from './spectrum.ts';

/**
 * `pocketsphinx`: real recognition; `known-text`: the words of the project's own recordings, found by their sound;
 * `auto`: the first if it is installed, otherwise the second.
 */
export type SpeechChoice = 'auto' | 'pocketsphinx' | 'known-text';

export interface Speech {
  name: 'pocketsphinx' | 'known-text';
  /**
   * @param samples 16 kHz, one channel
   * @throws ApiError `stand_in_unknown_audio` for what it cannot know: words are never made up
   */
  recognize(samples: Int16Array): Promise<Heard>;
}

/** @throws Error when pocketsphinx was asked for and is not installed */
export async function chooseSpeech(choice: SpeechChoice): Promise<Speech> {
  if (choice === 'known-text') return knownText;
  if (await pocketsphinxPresent()) return pocketsphinx;
  if (choice === 'auto') return knownText;
  throw new Error('pocketsphinx does not run here. On Debian: apt-get install pocketsphinx pocketsphinx-en-us');
}

const knownText: Speech = {
  name: 'known-text',
  async recognize(samples) {
    const heard = recognizeKnown(samples);
    if (heard !== null) return heard;
    throw new ApiError(
      400,
      'This stand-in recognizes no speech. It replays the words of its own recordings, and this is none of them. For ' +
        'real recognition set OPENAI_API_KEY to a key of OpenAI (and leave OPENAI_BASE_URL unset), or ' +
        'TRANSCRIPTION_ENGINE=whisper.',
      { param: 'file', code: 'stand_in_unknown_audio' },
    );
  },
};

/** It says no times: they are shared out by the letters. */
const pocketsphinx: Speech = {
  name: 'pocketsphinx',
  async recognize(samples) {
    const texts = (await recognizeSpeech(samples)).split(' ').filter(Boolean);
    const letters = texts.reduce((sum, text) => sum + text.length, 0);
    const totalMs = samples.length / 16;
    let before = 0;
    const words = texts.map((text) => {
      const startMs = (totalMs * before) / letters;
      before += text.length;
      return { text, startMs, endMs: (totalMs * before) / letters, speaker: 'A', turn: 0 };
    });
    return { language: 'en', words };
  },
};

const run = promisify(execFile);
const PROGRAM = 'pocketsphinx_continuous';

/**
 * Real recognition on this machine: Debian's packages pocketsphinx and pocketsphinx-en-us.
 * @returns whether it is installed and works, model included
 */
export async function pocketsphinxPresent(): Promise<boolean> {
  try {
    await recognizeSpeech(new Int16Array(SAMPLE_RATE / 2));
    return true;
  } catch {
    return false;
  }
}

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Recognizes English, about four times as fast as the sound. As many at a time as there are processors; the others
 * wait.
 * @param samples 16 kHz, one channel
 * @returns the words in lower case, without punctuation
 * @throws Error when the program is missing or fails
 */
async function recognizeSpeech(samples: Int16Array): Promise<string> {
  if (running >= availableParallelism()) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  const dir = await mkdtemp(join(tmpdir(), 'stand-in-'));
  try {
    const file = join(dir, 'speech.wav');
    await writeFile(file, wavOf(samples));
    const { stdout } = await run(PROGRAM, ['-infile', file, '-logfn', '/dev/null'], { maxBuffer: 16 * 2 ** 20 });
    return stdout.split(/\s+/).filter(Boolean).join(' ');
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
    await rm(dir, { recursive: true, force: true });
  }
}

function wavOf(samples: Int16Array): Buffer {
  const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + pcm.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}
