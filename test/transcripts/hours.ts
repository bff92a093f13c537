import { mixed, RATE, roomNoise } from '../audio/wave.ts';
import type { Call, Recorded } from './recordings.ts';

type Unnamed = Omit<Recorded, 'name'>;

const HEADER_BYTES = 44;
const NOISE_DB = -62;

/**
 * A call again and again, each time in other noise, so that no moment is like another.
 * @param recorded makes the recording of one call, a WAV file
 */
export function hours(count: number, call: Call, recorded: (call: Call) => Unnamed): Unnamed {
  const length = Math.ceil(Math.max(...call.tracks.map((track) => track.length)) / RATE) * RATE;
  const times = Math.ceil((count * 3_600 * RATE) / length);
  const copies = Array.from({ length: times }, (_, copy) => {
    const tracks = call.tracks.map((track, index) => {
      const whole = new Float32Array(length);
      whole.set(track);
      return mixed([whole, roomNoise(length, NOISE_DB, 100 + 10 * copy + index)]);
    });
    return recorded({ ...call, tracks });
  });
  const sound = copies.map(({ bytes }) => bytes.subarray(HEADER_BYTES));
  const header = Buffer.from((copies[0] as Unnamed).bytes.subarray(0, HEADER_BYTES));
  const bytes = sound.reduce((sum, part) => sum + part.length, 0);
  header.writeUInt32LE(bytes + HEADER_BYTES - 8, 4);
  header.writeUInt32LE(bytes, HEADER_BYTES - 4);
  const ms = (length / RATE) * 1_000;
  return {
    ...(copies[0] as Unnamed),
    bytes: Buffer.concat([header, ...sound]),
    spoken: copies.flatMap(({ spoken }, copy) =>
      spoken.map((word) => ({ ...word, startMs: word.startMs + copy * ms, endMs: word.endMs + copy * ms })),
    ),
    activity: (copies[0] as Unnamed).activity.map((_, person) =>
      Uint8Array.from(copies.flatMap(({ activity }) => [...(activity[person] ?? [])])),
    ),
  };
}
