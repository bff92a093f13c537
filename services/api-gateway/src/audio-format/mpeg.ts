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
