import type { AudioFormat, Sound } from '@call-analytics/contracts';

type Container = Exclude<AudioFormat, 'mp3' | 'aac'>;

/**
 * Bytes per second where the head of the file does not say. The estimate only weights the call in the sharing of work.
 */
const TYPICAL_BYTES_PER_SECOND: Readonly<Record<Container, number>> = {
  wav: 32_000,
  m4a: 12_000,
  ogg: 8_000,
  flac: 50_000,
  wma: 8_000,
};

export const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
const ASF_AUDIO_STREAM = Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex');

/**
 * ISO base media files with sound. MP4 and QuickTime are accepted with video too: the brand is the same, and only sound
 * is decoded.
 */
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
  'qt  ',
]);
/** Images and other videos in the same container; some list an MP4 brand as compatible. */
const OTHER_BRANDS = new Set(['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1', 'avif', 'avis', 'crx ', 'jp2 ']);

const OGG_VIDEO = ['\x80theora', 'BBCD\0', '\x01video'];

/** @returns the container at the beginning of `head`, with its bytes per second and its sound, null where unknown */
export function containerOf(head: Buffer): { format: Container; bytesPerSecond: number; sound: Sound | null } | null {
  const format = formatOf(head);
  if (format === null) return null;
  const bytesPerSecond = format === 'wav' ? wavBytesPerSecond(head) : null;
  return { format, bytesPerSecond: bytesPerSecond ?? TYPICAL_BYTES_PER_SECOND[format], sound: soundOf(format, head) };
}

/** @returns whether it is Ogg with Speex, which the decoder does not support */
export function isSpeex(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === 'OggS' && firstOggPacket(head).startsWith('Speex   ');
}

function soundOf(format: Container, head: Buffer): Sound | null {
  const sound =
    format === 'wav' ? wavSound(head) : format === 'flac' ? flacSound(head) : format === 'ogg' ? oggSound(head) : null;
  return sound === null || sound.channels === 0 || sound.sampleRate === 0 ? null : sound;
}

function wavSound(head: Buffer): Sound | null {
  const at = wavFormatAt(head);
  return at === null ? null : { channels: head.readUInt16LE(at + 2), sampleRate: head.readUInt32LE(at + 4) };
}

/** The STREAMINFO block comes first: RFC 9639, 8.2. */
function flacSound(head: Buffer): Sound | null {
  if (head.length < 21) return null;
  return { channels: ((head.readUInt8(20) >> 1) & 7) + 1, sampleRate: head.readUIntBE(18, 3) >> 4 };
}

function oggSound(head: Buffer): Sound | null {
  const packet = head.subarray(27 + (head[26] ?? 0));
  if (packet.length < 16) return null;
  const name = packet.toString('latin1', 0, 8);
  // Opus always decodes to 48 kHz.
  if (name === 'OpusHead') return { channels: packet.readUInt8(9), sampleRate: 48_000 };
  return name.startsWith('\x01vorbis') ? { channels: packet.readUInt8(11), sampleRate: packet.readUInt32LE(12) } : null;
}

function formatOf(head: Buffer): Container | null {
  const text = (from: number, to: number) => head.toString('latin1', from, to);
  if (['RIFF', 'RF64', 'BW64'].includes(text(0, 4)) && text(8, 12) === 'WAVE') return 'wav';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(0, 4) === 'OggS') return OGG_VIDEO.some((start) => firstOggPacket(head).startsWith(start)) ? null : 'ogg';
  if (text(4, 8) === 'ftyp') return isSoundBrand(head) ? 'm4a' : null;
  if (head.subarray(0, 16).equals(ASF_HEADER)) return lacksAudioStream(head) ? null : 'wma';
  return null;
}

function wavBytesPerSecond(head: Buffer): number | null {
  const at = wavFormatAt(head);
  const rate = at === null ? 0 : head.readUInt32LE(at + 8);
  return rate >= 500 && rate <= 10_000_000 ? rate : null;
}

/** @returns the offset of the content of the `fmt ` chunk */
function wavFormatAt(head: Buffer): number | null {
  let at = 12;
  while (at + 20 <= head.length) {
    if (head.toString('latin1', at, at + 4) === 'fmt ') return at + 8;
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

/** Whether the header of an ASF file is complete in `head` and lists no stream with sound. */
function lacksAudioStream(head: Buffer): boolean {
  if (head.length < 24) return false;
  const wholeHeader = head.readBigUInt64LE(16) <= BigInt(head.length);
  return wholeHeader && !head.includes(ASF_AUDIO_STREAM);
}
