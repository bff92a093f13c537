import { flacHeader } from '@call-analytics/transcription/decode/hostile.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { HEAD_BYTES, id3TagLength, recognize } from './recording.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const zeros = (length: number) => Buffer.alloc(length);
const cat = (...parts: Buffer[]) => Buffer.concat(parts);
const times = (count: number, part: Buffer) => cat(...Array.from({ length: count }, () => part));

/** MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes, 1152 samples. */
const MP3_FRAME = cat(Buffer.from([0xff, 0xfb, 0x90, 0x00]), zeros(413));
/** MPEG-2 layer III, 64 kbit/s, 22.05 kHz: 208 bytes, 576 samples. */
const MP3_LOW_FRAME = cat(Buffer.from([0xff, 0xf3, 0x80, 0x00]), zeros(204));
/** ADTS, AAC-LC, 44.1 kHz, stereo, 200 bytes. */
const AAC_FRAME = cat(Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x19, 0x1f, 0xfc]), zeros(193));
/** MPEG-1 layer II, 192 kbit/s, 48 kHz: 576 bytes. */
const MP2_FRAME = cat(Buffer.from([0xff, 0xfd, 0xa4, 0x00]), zeros(572));

function wav(
  id = 'RIFF',
  bytesPerSecond = 32_000,
  before = zeros(0),
  { channels = 1, sampleRate = 16_000 } = {},
): Buffer {
  const fmt = zeros(24);
  fmt.writeUInt16LE(channels, 10);
  fmt.writeUInt32LE(sampleRate, 12);
  fmt.write('fmt ');
  fmt.writeUInt32LE(16, 4);
  fmt.writeUInt16LE(1, 8);
  fmt.writeUInt32LE(bytesPerSecond, 16);
  return cat(latin(`${id}\xff\xff\xff\xffWAVE`), before, fmt, latin('data\xff\xff\xff\xff'));
}
const ftyp = (major: string, ...compatible: string[]) => {
  const size = zeros(4);
  size.writeUInt32BE(16 + compatible.length * 4);
  return cat(size, latin(`ftyp${major}\0\0\0\0${compatible.join('')}`), latin('\0\0\0\x08free'));
};
const ogg = (packet: string) => cat(latin('OggS\0\x02'), zeros(20), Buffer.from([1, 30]), latin(packet), zeros(30));
const asf = (streamType: string, length = 200) => {
  const size = zeros(8);
  size.writeBigUInt64LE(BigInt(length));
  return cat(
    Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
    size,
    zeros(30),
    Buffer.from(streamType, 'hex'),
    zeros(200),
  );
};
const ASF_AUDIO = '409e69f84d5bcf11a8fd00805f5c442b';
const ASF_VIDEO = 'c0ef19bc4d5bcf11a8fd00805f5c442b';
const of = (head: Buffer, whole = true) => recognize(head.subarray(0, HEAD_BYTES), whole);

describe('the content of a file', () => {
  it.each<[string, Buffer, string, number]>([
    ['MP3', times(10, MP3_FRAME), 'mp3', 15_963],
    ['MP3 of a low rate', times(10, MP3_LOW_FRAME), 'mp3', 7_963],
    ['one frame of MP3', MP3_FRAME, 'mp3', 15_963],
    ['one frame of MP3 and an ID3v1 tag', cat(MP3_FRAME, latin('TAG'), zeros(125)), 'mp3', 15_963],
    ['MP3 that begins in the middle of a frame', cat(MP3_FRAME.subarray(100), times(10, MP3_FRAME)), 'mp3', 15_963],
    ['MP3 behind zeros', cat(zeros(2_000), times(10, MP3_FRAME)), 'mp3', 15_963],
    ['AAC', times(10, AAC_FRAME), 'aac', 8_613],
    ['AAC that begins in the middle of a frame', cat(AAC_FRAME.subarray(50), times(10, AAC_FRAME)), 'aac', 8_613],
    ['WAV', wav(), 'wav', 32_000],
    [
      'WAV with chunks before its format',
      wav('RIFF', 8_000, cat(latin('JUNK\x03\0\0\0abc\0'), latin('bext\x02\0\0\0ab'))),
      'wav',
      8_000,
    ],
    ['WAV larger than 4 GiB', wav('RF64', 16_000), 'wav', 16_000],
    ['WAV of broadcasters', wav('BW64', 16_000), 'wav', 16_000],
    ['WAV that claims an impossible rate', wav('RIFF', 0xffffffff), 'wav', 32_000],
    ['WAV that is cut in its header', wav().subarray(0, 20), 'wav', 32_000],
    ['FLAC', cat(latin('fLaC\0\0\0\x22'), zeros(34)), 'flac', 50_000],
    ['M4A', ftyp('M4A ', 'mp42', 'isom'), 'm4a', 12_000],
    ['MP4', ftyp('isom', 'iso2', 'mp41'), 'm4a', 12_000],
    ['MP4 of an unknown brand that names a known one', ftyp('XYZ ', 'abcd', 'mp42'), 'm4a', 12_000],
    ['QuickTime', ftyp('qt  '), 'm4a', 12_000],
    ['Ogg Vorbis', ogg('\x01vorbis'), 'ogg', 8_000],
    ['Ogg Opus', ogg('OpusHead'), 'ogg', 8_000],
    ['WMA', asf(ASF_AUDIO), 'wma', 8_000],
    ['WMA whose header goes on behind what is in view', asf(ASF_VIDEO, 1_000_000), 'wma', 8_000],
  ])('is told to be %s', async (_, head, format, bytesPerSecond) => {
    const found = await of(head);
    expect(found).toEqual({ format, bytesPerSecond: expect.any(Number) });
    expect(Math.round((found as { bytesPerSecond: number }).bytesPerSecond)).toBe(bytesPerSecond);
  });

  it.each<[string, Buffer, string]>([
    ['plain text', latin('Hello, this is a transcript.'), 'text'],
    ['text in Russian, cut inside a letter', Buffer.from('Привет').subarray(0, 5), 'text'],
    ['HTML', latin('  <!DOCTYPE html><html></html>'), 'an HTML page'],
    ['JSON', latin('{"error":"not found"}'), 'JSON text'],
    ['zeros', zeros(5_000), 'binary data of no known kind'],
    ['a single byte', Buffer.from([0xff]), 'binary data of no known kind'],
    [
      'two frames of MP3 and then something else',
      cat(times(2, MP3_FRAME), Buffer.from([1, 2, 3]), zeros(500)),
      'binary data of no known kind',
    ],
    ['MPEG layer II', times(10, MP2_FRAME), 'MP2 audio'],
    ['a HEIC picture that names an MP4 brand', ftyp('heic', 'mif1', 'iso8', 'mp42'), 'an HEIC image'],
    ['an Ogg film', ogg('\x80theora'), 'OGV video'],
    ['Windows Media without sound', asf(ASF_VIDEO), 'Windows Media video without sound'],
    [
      'an archive with MP3 in it',
      cat(latin('PK\x03\x04\x14\0\0\0\0\0'), zeros(16), latin('\x05\0\0\0a.mp3'), times(10, MP3_FRAME)),
      'a ZIP archive',
    ],
    ['AVI', cat(latin('RIFF\0\0\0\0AVI LIST'), zeros(100)), 'AVI video'],
    ['a WebP picture', cat(latin('RIFF\0\0\0\0WEBPVP8 '), zeros(100)), 'a WEBP image'],
    ['AIFF', cat(latin('FORM\0\0\0\0AIFF'), zeros(100)), 'AIF audio'],
    ['AMR', latin('#!AMR\n\x3c'), 'AMR audio'],
  ])('is told to be none of ours: %s', async (_, head, looksLike) => {
    expect(await of(head)).toEqual({ looksLike });
  });

  it.each<[string, Buffer, string]>([
    ['FLAC at 655,350 Hz', flacHeader(655_350, 8, 0), 'sample rate of 655.35 kHz; 4 kHz to 192 kHz are accepted'],
    [
      'WAV at 8 Hz',
      wav('RIFF', 32_000, zeros(0), { sampleRate: 8 }),
      'sample rate of 8 Hz; 4 kHz to 192 kHz are accepted',
    ],
    [
      'WAV just below the least rate',
      wav('RIFF', 32_000, zeros(0), { sampleRate: 3_999 }),
      'sample rate of 3.999 kHz; 4 kHz to 192 kHz are accepted',
    ],
    ['WAV with nine channels', wav('RIFF', 32_000, zeros(0), { channels: 9 }), '9 channels; at most 8 are accepted'],
    ['Opus with 255 channels', ogg('OpusHead\x01\xff'), '255 channels; at most 8 are accepted'],
    ['Vorbis at 1 Hz', ogg('\x01vorbis\0\0\0\0\x01\x01\0\0\0'), 'sample rate of 1 Hz'],
    [
      'Speex',
      ogg('Speex   1.2.1'),
      'the codec Speex, which is not supported. OGG is accepted with Opus, Vorbis or FLAC',
    ],
  ])('is refused with what is wrong: %s', async (_, head, problem) => {
    expect(await of(head)).toEqual({ unacceptable: expect.stringContaining(problem) });
  });

  it.each([
    ['eight channels', flacHeader(48_000, 8, 0)],
    ['192 kHz', flacHeader(192_000, 2, 0)],
    ['4 kHz', wav('RIFF', 8_000, zeros(0), { sampleRate: 4_000 })],
  ])('is accepted up to the limits: %s', async (_, head) => {
    expect(await of(head)).toHaveProperty('format');
  });

  it('is not taken for MP3 by two frames when there is more to see', async () => {
    expect(await of(times(2, MP3_FRAME), false)).toHaveProperty('looksLike');
    expect(await of(times(2, MP3_FRAME), true)).toHaveProperty('format', 'mp3');
  });
});

describe('an ID3 tag', () => {
  it('has the length its header says, in sevens of bits', () => {
    expect(id3TagLength(latin('ID3\x04\0\0\0\0\x02\x01'))).toBe(10 + 257);
    expect(id3TagLength(latin('ID3\x03\0\0\x7f\x7f\x7f\x7f'))).toBe(10 + 2 ** 28 - 1);
    expect(id3TagLength(latin('ID3\x04\0\x10\0\0\0\x01'))).toBe(21);
  });

  it.each(['ID3\x04\0\0\0\0\x02', 'ID3\xff\0\0\0\0\0\x01', 'ID3\x04\0\0\0\0\x80\x01', 'TAG\x04\0\0\0\0\0\x01'])(
    'is not %j',
    (text) => {
      expect(id3TagLength(latin(text))).toBe(0);
    },
  );
});
