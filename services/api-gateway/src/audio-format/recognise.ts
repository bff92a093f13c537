import { type AudioFormat, soundProblem } from '@call-analytics/contracts';
import { containerOf, isSpeex } from './containers.ts';
import { lookOf } from './look.ts';
import { findFrames, framesFrom } from './mpeg.ts';

/** So much of a file decides what it is: several of the longest MP3 or AAC frames, and the headers of every container. */
export const HEAD_BYTES = 16 * 1024;

export type Recognised =
  | { format: AudioFormat; bytesPerSecond: number }
  | { looksLike: string }
  | { unacceptable: string };

const SPEEX = 'The recording uses the codec Speex, which is not supported. OGG is accepted with Opus, Vorbis or FLAC.';

/**
 * What a file is, by its content alone.
 * @param head the first bytes of the file (behind its ID3 tags), up to HEAD_BYTES
 * @param whole whether that is all of it
 * @returns the accepted format with an estimate of its bytes per second, or what it looks like instead, e.g. "a PDF document", or what
 *   is wrong with a recording in an accepted format
 */
export async function recognise(head: Buffer, whole: boolean): Promise<Recognised> {
  if (isSpeex(head)) return { unacceptable: SPEEX };
  const container = containerOf(head);
  if (container !== null) {
    const { sound, ...found } = container;
    const problem = sound === null ? null : soundProblem(sound);
    return problem === null ? found : { unacceptable: problem };
  }
  const frames = framesFrom(head, 0, whole);
  if (frames !== null) return frames;
  // An archive or a film may hold MP3 frames as they are, so the search for frames comes after the question what else the file is.
  const looksLike = await lookOf(head);
  if (looksLike !== null) return { looksLike };
  return findFrames(head) ?? { looksLike: 'binary data of no known kind' };
}

/** @returns the length of the ID3v2 tag that begins at `at`, 0 when there is none. https://id3.org/id3v2.4.0-structure, 3.1 */
export function id3TagLength(bytes: Buffer, at = 0): number {
  if (bytes.length < at + ID3_HEADER_BYTES || bytes.toString('latin1', at, at + 3) !== 'ID3') return 0;
  const size = [...bytes.subarray(at + 6, at + 10)];
  if (bytes[at + 3] === 0xff || bytes[at + 4] === 0xff || size.some((byte) => byte > 0x7f)) return 0;
  const footer = ((bytes[at + 5] ?? 0) & 0x10) === 0 ? 0 : ID3_HEADER_BYTES;
  return ID3_HEADER_BYTES + size.reduce((sum, byte) => sum * 128 + byte, 0) + footer;
}

export const ID3_HEADER_BYTES = 10;
