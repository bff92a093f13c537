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

/** The header of an MP3 or AAC frame. `kind` is the same for all frames of one stream. */
interface Frame {
  kind: string;
  format: 'mp3' | 'aac';
  length: number;
  seconds: number;
}

/** Three consecutive headers, each at the end of the frame before, are no coincidence. */
const ENOUGH_FRAMES = 3;

// ISO/IEC 11172-3, 2.4.2.3 and 13818-3; kbit/s and Hz. Index 0 is "free format", which players do not support.
const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MP3_HZ = [44_100, 48_000, 32_000];
// ISO/IEC 14496-3, table 1.18.
const AAC_HZ = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

/** @returns the frame whose header is at `at`, or null when there is none */
function frameAt(bytes: Buffer, at: number): Frame | null {
  if (at + 7 > bytes.length || bytes[at] !== 0xff) return null;
  const second = bytes.readUInt8(at + 1);
  if ((second & 0xf6) === 0xf0) return adtsFrame(bytes, at);
  if ((second & 0xe6) === 0xe2) return mp3Frame(bytes, at);
  return null;
}

function mp3Frame(bytes: Buffer, at: number): Frame | null {
  const version = (bytes.readUInt8(at + 1) >> 3) & 3;
  const third = bytes.readUInt8(at + 2);
  const rate = MP3_HZ[(third >> 2) & 3];
  const kbps = (version === 3 ? MPEG1_KBPS : MPEG2_KBPS)[third >> 4];
  if (version === 1 || rate === undefined || !kbps) return null;
  const hz = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = version === 3 ? 1152 : 576;
  const length = Math.floor(((samples / 8) * kbps * 1000) / hz) + ((third >> 1) & 1);
  return { kind: `mp3 ${version} ${hz}`, format: 'mp3', length, seconds: samples / hz };
}

function adtsFrame(bytes: Buffer, at: number): Frame | null {
  const third = bytes.readUInt8(at + 2);
  const hz = AAC_HZ[(third >> 2) & 15];
  const length =
    ((bytes.readUInt8(at + 3) & 3) << 11) | (bytes.readUInt8(at + 4) << 3) | (bytes.readUInt8(at + 5) >> 5);
  if (hz === undefined || length < 8) return null;
  const blocks = (bytes.readUInt8(at + 6) & 3) + 1;
  return { kind: `aac ${third >> 6} ${hz}`, format: 'aac', length, seconds: (1024 * blocks) / hz };
}

/**
 * @param whole whether the file ends with `bytes`: then it may have fewer frames
 * @returns the stream of frames that begins at `at`, or null
 */
export function framesFrom(
  bytes: Buffer,
  at: number,
  whole: boolean,
): { format: 'mp3' | 'aac'; bytesPerSecond: number } | null {
  let next = at;
  let seconds = 0;
  let count = 0;
  let first: Frame | null = null;
  while (count < ENOUGH_FRAMES) {
    const frame = frameAt(bytes, next);
    if (frame === null || (first !== null && frame.kind !== first.kind)) break;
    first ??= frame;
    seconds += frame.seconds;
    next += frame.length;
    count += 1;
  }
  if (first === null) return null;
  const endsHere = next >= bytes.length || bytes.toString('latin1', next, next + 3) === 'TAG';
  if (count < ENOUGH_FRAMES && !(whole && endsHere)) return null;
  return { format: first.format, bytesPerSecond: (next - at) / seconds };
}

/**
 * For files that begin in the middle of a frame or with zeros.
 * @returns the first stream of frames in `bytes`, or null
 */
export function findFrames(bytes: Buffer): { format: 'mp3' | 'aac'; bytesPerSecond: number } | null {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const found = framesFrom(bytes, at, false);
    if (found !== null) return found;
  }
  return null;
}
