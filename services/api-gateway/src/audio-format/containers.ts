import type { AudioFormat } from '@call-analytics/contracts';

type Container = Exclude<AudioFormat, 'mp3' | 'aac'>;

/** Bytes of one second of audio where the head of the file does not tell: only the weight of the call in the sharing of work hangs on it. */
const TYPICAL_BYTES_PER_SECOND: Readonly<Record<Container, number>> = { wav: 32_000, m4a: 12_000, ogg: 8_000, flac: 50_000, wma: 8_000 };

export const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
const ASF_AUDIO_STREAM = Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex');

/** ISO base media files that carry sound. MP4 is taken whatever else is in it: the sound of a video call is worked on, and the brand does not tell. */
const MP4_BRANDS = new Set([
  'M4A ',
  'M4B ',
  'M4P ',
  'F4A ',
  'mp41',
  'mp42',
  'mp71',
  'isom',
  'iso2',
  'iso4',
  'iso5',
  'iso6',
  'avc1',
  'dash',
  'MSNV',
]);
/** Pictures and other films in the same container; some of them name an MP4 brand as compatible. */
const OTHER_BRANDS = new Set(['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1', 'avif', 'avis', 'crx ', 'jp2 ', 'qt  ']);

const OGG_FILMS = ['\x80theora', 'BBCD\0', '\x01video'];

/** @returns the container that `head` begins, with the bytes of a second of it, or null */
export function containerOf(head: Buffer): { format: Container; bytesPerSecond: number } | null {
  const format = formatOf(head);
  if (format === null) return null;
  const told = format === 'wav' ? wavBytesPerSecond(head) : null;
  return { format, bytesPerSecond: told ?? TYPICAL_BYTES_PER_SECOND[format] };
}

function formatOf(head: Buffer): Container | null {
  const text = (from: number, to: number) => head.toString('latin1', from, to);
  if (['RIFF', 'RF64', 'BW64'].includes(text(0, 4)) && text(8, 12) === 'WAVE') return 'wav';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(0, 4) === 'OggS') return OGG_FILMS.some((start) => firstOggPacket(head).startsWith(start)) ? null : 'ogg';
  if (text(4, 8) === 'ftyp') return isSoundBrand(head) ? 'm4a' : null;
  if (head.subarray(0, 16).equals(ASF_HEADER)) return isSilentAsf(head) ? null : 'wma';
  return null;
}

/** The chunks before the sound may be many; the one that tells the rate is among the first. */
function wavBytesPerSecond(head: Buffer): number | null {
  let at = 12;
  while (at + 20 <= head.length) {
    if (head.toString('latin1', at, at + 4) === 'fmt ') {
      const rate = head.readUInt32LE(at + 16);
      return rate >= 500 && rate <= 10_000_000 ? rate : null;
    }
    const size = head.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return null;
}

function firstOggPacket(head: Buffer): string {
  const segments = head[26] ?? 0;
  return head.toString('latin1', 27 + segments, 27 + segments + 8);
}

function isSoundBrand(head: Buffer): boolean {
  const major = head.toString('latin1', 8, 12);
  if (MP4_BRANDS.has(major)) return true;
  if (OTHER_BRANDS.has(major)) return false;
  const end = Math.min(head.readUInt32BE(0), head.length, 256);
  for (let at = 16; at + 4 <= end; at += 4) if (MP4_BRANDS.has(head.toString('latin1', at, at + 4))) return true;
  return false;
}

/** The header of an ASF file lists its streams. When all of it is in view and no stream is sound, it is a film without any. */
function isSilentAsf(head: Buffer): boolean {
  if (head.length < 24) return false;
  const wholeHeader = head.readBigUInt64LE(16) <= BigInt(head.length);
  return wholeHeader && !head.includes(ASF_AUDIO_STREAM);
}
