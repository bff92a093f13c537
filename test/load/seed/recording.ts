import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CALL = fileURLToPath(new URL('../../../services/stand-in/recordings/bundled-call.mp3', import.meta.url));
const BITS_PER_SECOND = 128_000;
/** The same call over and over, not at the same level: no two minutes decode to the same samples. */
const VOLUMES = [1, 0.5, 0.8, 0.3, 0.65];

export const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;

/**
 * Writes a stereo MP3 at 44.1 kHz with two people talking. Needs the ffmpeg command.
 * @param file must not be there
 * @returns its length in seconds, at least what was asked for
 */
export function makeLongRecording(file: string, dir: string, seconds: number): number {
  const parts = VOLUMES.map((volume, index) => encode(join(dir, `part-${index}.mp3`), volume));
  let written = 0;
  for (let turn = 0; written < seconds; turn += 1) {
    const part = parts[turn % parts.length] ?? Buffer.alloc(0);
    appendFileSync(file, part);
    written += (part.length * 8) / BITS_PER_SECOND;
  }
  return written;
}

/** Frames that stand alone: without a bit reservoir and without headers, MP3 files can be put one behind the other. */
function encode(file: string, volume: number): Buffer {
  const alone = ['-reservoir', '0', '-write_xing', '0', '-id3v2_version', '0', '-map_metadata', '-1'];
  const format = ['-ar', '44100', '-ac', '2', '-c:a', 'libmp3lame', '-b:a', String(BITS_PER_SECOND)];
  const { status, stderr } = spawnSync('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-i',
    CALL,
    '-af',
    `volume=${volume}`,
    ...format,
    ...alone,
    file,
  ]);
  if (status !== 0) throw new Error(`ffmpeg could not make the recording: ${stderr}`);
  return readFileSync(file);
}
