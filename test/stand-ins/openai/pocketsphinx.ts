import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SAMPLE_RATE } from './spectrum.ts';

const run = promisify(execFile);
const PROGRAM = 'pocketsphinx_continuous';

/** Real recognition on this machine: Debian's packages pocketsphinx and pocketsphinx-en-us. @returns whether it is installed and works, model included */
export async function pocketsphinxPresent(): Promise<boolean> {
  try {
    await recogniseSpeech(new Int16Array(SAMPLE_RATE / 2));
    return true;
  } catch {
    return false;
  }
}

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Recognises English, about four times as fast as the sound. As many at a time as there are processors; the others wait.
 * @param samples 16 kHz, one channel
 * @returns the words in lower case, without punctuation
 * @throws Error when the program is missing or fails
 */
export async function recogniseSpeech(samples: Int16Array): Promise<string> {
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
