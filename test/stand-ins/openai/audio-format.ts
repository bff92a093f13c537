import { extname } from 'node:path';
import { ApiError } from './errors.ts';

/** What bytes are, whatever their name says. */
export type SeenFormat = 'mp3' | 'wav' | 'flac' | 'mp4' | 'ogg' | 'ogg-opus' | 'webm' | 'aac' | 'wma' | 'unknown';

const NAMES = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm'];
const REFUSED: readonly SeenFormat[] = ['aac', 'wma', 'unknown'];

/** @returns the format by the first bytes of the file */
export function seenFormat(bytes: Buffer): SeenFormat {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (text(0, 3) === 'ID3') return seenFormat(bytes.subarray(10 + syncsafe(bytes))) === 'aac' ? 'aac' : 'mp3';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WAVE') return 'wav';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(4, 8) === 'ftyp') return 'mp4';
  if (text(0, 4) === 'OggS') return text(28, 36) === 'OpusHead' ? 'ogg-opus' : 'ogg';
  if (bytes.length > 4 && bytes.readUInt32BE(0) === 0x1a45dfa3) return 'webm';
  if (bytes.length > 4 && bytes.readUInt32BE(0) === 0x3026b275) return 'wma';
  // Frame headers of MPEG audio: eleven bits set, then the layer. Layer 0 is ADTS, that is raw AAC.
  const sync = bytes.length > 1 ? bytes.readUInt16BE(0) : 0;
  if ((sync & 0xfff6) === 0xfff0) return 'aac';
  if ((sync & 0xffe0) === 0xffe0 && (sync & 0x0006) !== 0) return 'mp3';
  return 'unknown';
}

/**
 * @param name what the upload calls itself
 * @throws ApiError when the name has no ending that the API knows, or the bytes are of a format it does not take
 */
export function acceptedFormat(name: string, bytes: Buffer, { opus }: { opus: boolean }): SeenFormat {
  const ending = extname(name).slice(1).toLowerCase();
  const seen = seenFormat(bytes);
  if (!NAMES.includes(ending) || REFUSED.includes(seen)) {
    throw new ApiError(
      400,
      `Invalid file format. Supported formats: [${NAMES.map((format) => `'${format}'`).join(', ')}]`,
    );
  }
  if (seen === 'ogg-opus' && !opus) {
    throw new ApiError(400, 'This model does not support the format you provided.', {
      param: 'messages',
      code: 'unsupported_format',
    });
  }
  return seen;
}

/** The length of an ID3v2 tag: four bytes of seven bits. */
function syncsafe(bytes: Buffer): number {
  return bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}
