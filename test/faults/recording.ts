import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audioFile } from '@call-analytics/stand-in/recordings';
import { mixed, readWav, roomNoise, type Samples, sampleAt, writeWav } from '../audio/wave.ts';

/** What the engine is asked for of such a recording: a piece for each person. */
export const PIECES = 2;
const ROOM_DB = -62;

let tracks: { left: Samples; right: Samples } | null = null;

/**
 * A call of ten seconds, each of its two people on a channel of their own, in a room of its own: no two numbers give the same bytes, so that a piece which the engine is
 * asked for twice is known by its hash.
 * @returns the path of the file
 */
export async function makeRecording(folder: string, number: number): Promise<string> {
  tracks ??= readTracks();
  const file = join(folder, `call-${number}.wav`);
  const inRoom = (track: Samples, seed: number) => mixed([track, roomNoise(track.length, ROOM_DB, seed)]);
  await writeFile(file, writeWav([inRoom(tracks.left, 2 * number), inRoom(tracks.right, 2 * number + 1)]));
  return file;
}

function readTracks(): { left: Samples; right: Samples } {
  const { path, turns } = audioFile('excerpt.wav');
  const both = readWav(readFileSync(path));
  const alone = (channel: 'left' | 'right') => {
    const track = new Float32Array(both.length);
    for (const turn of turns) {
      if (turn.channel !== channel) continue;
      const from = sampleAt(turn.startMs);
      track.set(both.subarray(from, sampleAt(turn.endMs)), from);
    }
    return track;
  };
  return { left: alone('left'), right: alone('right') };
}
