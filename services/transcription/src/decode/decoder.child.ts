import { readSync, writeSync } from 'node:fs';
import { AV_LOG_QUIET, AVDISCARD_ALL, AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { avGetCodecName, Codec, Dictionary, FormatContext, InputFormat, Log, Packet } from 'node-av/lib';
import { type LockedDown, lockDown } from '../sandbox/lock-down.ts';
import { declaredSeconds } from './declared.ts';
import { DECODER_EXIT } from './exits.ts';

// The decoding process: a recording comes in as two descriptors of the same file, opened twice; out goes one line of JSON and then 16 kHz PCM, 16 bit,
// interleaved, on standard output. It has an empty environment, locks itself down before it reads the recording, and dies rather than recover.
//
// One native graph does all the work, and JavaScript sees two seconds of audio at a time. Everything is synchronous on purpose: a full pipe holds the
// decoder back.

/** Descriptors: standard input for finding out what the recording is, the other for decoding it. */
const LOOK = 0;
const DECODE = 3;
/** The accepted formats. Without this list a text file could be a playlist that makes FFmpeg read other files, or the network. */
const FORMATS = ['mp3', 'wav', 'mov', 'ogg', 'flac', 'aac', 'asf'];
/** What these formats carry in practice. Nothing decodes pictures or video. */
const CODECS = [
  ...['mp3float', 'mp3', 'mp2float', 'mp2', 'aac', 'alac', 'ac3', 'eac3', 'flac', 'vorbis', 'opus'],
  ...['wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice'],
  ...[
    'pcm_alaw',
    'pcm_mulaw',
    'pcm_u8',
    'pcm_s8',
    'pcm_s16le',
    'pcm_s16be',
    'pcm_s24le',
    'pcm_s24be',
    'pcm_s32le',
    'pcm_s32be',
  ],
  ...['pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be'],
  ...[
    'adpcm_ms',
    'adpcm_ima_wav',
    'adpcm_ima_qt',
    'adpcm_yamaha',
    'adpcm_g722',
    'gsm_ms',
    'truespeech',
    'g723_1',
    'g729',
  ],
];
/** Formats that may hold video, and whose packets of sound need no parser. */
const WITH_VIDEO = /mov|asf|ogg/;
const ENOMEM = -12;
const CHUNK_SECONDS = 2;
const HEAD_BYTES = 64 * 1024;
/** More in a row than the packets of a recording of many hours: then it does not get on at all. */
const MOST_BROKEN = 2_000_000;
const RATE = 16_000;

const [memoryBytes = '', required = ''] = process.argv.slice(2);
Log.setLevel(AV_LOG_QUIET);
// With its type, so that the compiler knows that nothing follows an exit.
const locked: LockedDown = await lockDown({ memoryBytes: Number(memoryBytes), threads: false });
if (required === 'required' && !locked.layers.includes('seccomp')) locked.exit(DECODER_EXIT.notIsolated);
const { channels, stream, withVideo, ...header } = inspect();
writeSync(1, `${JSON.stringify({ channels, ...header, layers: locked.layers })}\n`);
decode();

function inspect() {
  const head = Buffer.alloc(HEAD_BYTES);
  const length = readSync(LOOK, head, 0, HEAD_BYTES, 0);
  const container = new FormatContext();
  const options = {
    format_whitelist: FORMATS.join(','),
    codec_whitelist: CODECS.join(','),
    protocol_whitelist: 'fd',
    fd: String(LOOK),
  };
  check(container.openInputSync('fd:', null, Dictionary.fromObject(options)));
  const others = container.streams.filter(({ codecpar }) => codecpar.codecType !== AVMEDIA_TYPE_AUDIO);
  // Before anything looks into them: no parser of video and no decoder of pictures runs.
  for (const other of others) other.discard = AVDISCARD_ALL;
  const promised = new Map(
    container.streams.map(({ index, duration, timeBase }) => [index, (Number(duration) * timeBase.num) / timeBase.den]),
  );
  check(container.findStreamInfoSync(null));
  const audio = container.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  if (audio === undefined) locked.exit(DECODER_EXIT.noAudio);
  const { codecId, channels: sourceChannels, sampleRate } = audio.codecpar;
  if (!CODECS.includes(Codec.findDecoder(codecId)?.name ?? '')) refuse(avGetCodecName(codecId) ?? 'unknown');
  if (sourceChannels <= 0) locked.exit(DECODER_EXIT.noAudio);
  const estimated = Number(container.duration) / 1e6;
  const byHeader = promised.get(audio.index) ?? 0;
  const found = {
    // Two channels may be two people. More are a surround mix or a conference: they become one.
    channels: sourceChannels === 2 ? 2 : 1,
    source: { channels: sourceChannels, sampleRate },
    stream: audio.index,
    // Of an MP3 or a FLAC the other stream is a cover picture, which has no parser; their sound needs one.
    withVideo: others.length > 0 && WITH_VIDEO.test(container.iformat?.name ?? ''),
    declaredSeconds: byHeader > 0 ? byHeader : declaredSeconds(head.subarray(0, length)),
    estimatedSeconds: estimated > 0 ? estimated : null,
  } as const;
  container.closeInputSync();
  return found;
}

function decode(): never {
  const layout = channels === 2 ? 'stereo' : 'mono';
  const list = (names: readonly string[]) => `'${names.join('\\,')}'`;
  const options = [
    `fd=${DECODE}`,
    'protocol_whitelist=fd',
    `format_whitelist=${list(FORMATS)}`,
    `codec_whitelist=${list(CODECS)}`,
    // amovie looks into every stream before it takes one: without parsers, none runs on the video.
    ...(withVideo ? ['fflags=noparse+nofillin'] : []),
  ];
  const source = `amovie=filename=fd\\\\::si=${stream}:format_opts=${options.join('\\\\:')}`;
  const graph = `${source},aresample=${RATE},aformat=sample_fmts=s16:channel_layouts=${layout},asetnsamples=n=${RATE * CHUNK_SECONDS}:p=0`;
  const input = new FormatContext();
  check(input.openInputSync(graph, InputFormat.findInputFormat('lavfi'), null));
  const packet = new Packet();
  packet.alloc();
  let decoded = false;
  let damaged = false;
  let broken = 0;
  while (broken <= MOST_BROKEN) {
    const result = input.readFrameSync(packet);
    if (result === AVERROR_EOF) break;
    if (result === ENOMEM) check(result);
    // What is broken in the middle is left out, and the rest is read.
    broken = result < 0 ? broken + 1 : 0;
    damaged ||= result < 0;
    if (result >= 0 && packet.data !== null) {
      write(packet.data);
      decoded = true;
    }
    packet.unref();
  }
  if (!decoded) locked.exit(damaged ? DECODER_EXIT.unreadable : DECODER_EXIT.noAudio);
  locked.exit(broken > MOST_BROKEN ? DECODER_EXIT.stopped : 0);
}

function write(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

function refuse(codec: string): never {
  writeSync(1, `${JSON.stringify({ codec })}\n`);
  locked.exit(DECODER_EXIT.unknownCodec);
}

function check(result: number): void {
  if (result < 0) locked.exit(result === ENOMEM ? DECODER_EXIT.outOfMemory : DECODER_EXIT.unreadable);
}
