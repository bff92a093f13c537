import { readSync, writeSync } from 'node:fs';
import { AV_LOG_QUIET, AVDISCARD_ALL, AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { avGetCodecName, Codec, Dictionary, FormatContext, InputFormat, Log, Packet } from 'node-av/lib';
import { DECODER_EXIT, type LockedDown, lockDown } from '../sandbox/lock-down.ts';

// The decoder process: it gets the recording as three descriptors and writes one line of JSON, then interleaved 16-bit
// PCM at 16 kHz, two seconds at a time; all calls are synchronous, so a full pipe holds it back. Its environment is
// empty, it locks itself down before it reads the recording, and it exits on any error.

/** Descriptors, each read from its start: for probing the recording, probing it with its edit list, and decoding it. */
const PROBE = 0;
const PROBE_EDITED = 3;
const DECODE = 4;
/** The accepted formats. Without this list a playlist could make FFmpeg read other files or the network. */
const FORMATS = ['mp3', 'wav', 'mov', 'ogg', 'flac', 'aac', 'asf'];
/** The audio codecs of these formats in practice. Pictures and video are never decoded. */
// biome-ignore format: table
const CODECS = [
  'mp3float', 'mp3', 'mp2float', 'mp2', 'aac', 'alac', 'ac3', 'eac3', 'flac', 'vorbis', 'opus',
  'wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice', 'pcm_alaw', 'pcm_mulaw', 'pcm_u8', 'pcm_s8',
  'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be',
  'pcm_f64le', 'pcm_f64be', 'adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_yamaha', 'adpcm_g722',
  'gsm_ms', 'truespeech', 'g723_1', 'g729',
];
/** Formats that may hold video, and whose audio packets need no parser. */
const WITH_VIDEO = /mov|asf|ogg/;
const ENOMEM = -12;
const CHUNK_SECONDS = 2;
const HEAD_BYTES = 64 * 1024;
/** More broken packets in a row than a recording of many hours has: decoding makes no progress. */
const MAX_BROKEN_PACKETS = 2_000_000;
/**
 * Packets of an MP4 up to which the cuts of its edit list are made: libav keeps two indexes for that, 72 bytes a packet
 * instead of 36. In longer ones only the silence that AAC encoders put at the start is left out.
 */
const MAX_EDITED_PACKETS = 500_000;
const RATE = 16_000;

const CHUNK_HEADER_BYTES = 8;
/** Recorders that do not know the length yet write about 2 or 4 GiB. */
const PLACEHOLDER_BYTES = 0x7fff_0000;

const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
const ASF_FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const ASF_PLAY_DURATION_AT = 64;
const ASF_PREROLL_AT = 80;

const [memoryBytes = '', required = ''] = process.argv.slice(2);
Log.setLevel(AV_LOG_QUIET);
// The type tells the compiler that nothing follows an exit.
const locked: LockedDown = await lockDown({ memoryBytes: Number(memoryBytes), threads: false });
if (required === 'required' && !locked.layers.includes('seccomp')) locked.exit(DECODER_EXIT.notIsolated);
const whole = inspect(PROBE, false);
const edited = whole.packets > 0 && whole.packets <= MAX_EDITED_PACKETS;
const { channels, stream, withVideo, packets: _, ...header } = edited ? inspect(PROBE_EDITED, true) : whole;
writeSync(1, `${JSON.stringify({ channels, ...header, layers: locked.layers })}\n`);
decode();

function inspect(descriptor: number, withEdits: boolean) {
  const head = Buffer.alloc(HEAD_BYTES);
  const length = readSync(descriptor, head, 0, HEAD_BYTES, 0);
  const container = new FormatContext();
  const options = {
    format_whitelist: FORMATS.join(','),
    codec_whitelist: CODECS.join(','),
    protocol_whitelist: 'fd',
    fd: String(descriptor),
    advanced_editlist: withEdits ? '1' : '0',
  };
  check(container.openInputSync('fd:', null, Dictionary.fromObject(options)));
  const others = container.streams.filter(({ codecpar }) => codecpar.codecType !== AVMEDIA_TYPE_AUDIO);
  // Before probing, so that no video parser and no picture decoder runs.
  for (const other of others) other.discard = AVDISCARD_ALL;
  const declared = new Map(
    container.streams.map(({ index, duration, timeBase }) => [index, (Number(duration) * timeBase.num) / timeBase.den]),
  );
  check(container.findStreamInfoSync(null));
  const audio = container.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  if (audio === undefined) locked.exit(DECODER_EXIT.noAudio);
  const { codecId, channels: sourceChannels, sampleRate } = audio.codecpar;
  if (!CODECS.includes(Codec.findDecoder(codecId)?.name ?? '')) refuse(avGetCodecName(codecId) ?? 'unknown');
  if (sourceChannels <= 0) locked.exit(DECODER_EXIT.noAudio);
  const estimated = Number(container.duration) / 1e6;
  const byHeader = declared.get(audio.index) ?? 0;
  const found = {
    // Two channels may be two people. More are a surround mix or a conference and become one.
    channels: sourceChannels === 2 ? 2 : 1,
    source: { channels: sourceChannels, sampleRate },
    stream: audio.index,
    /** Of all streams of an MP4; 0 for the formats that have no index. */
    packets: container.streams.reduce((sum, { nbFrames }) => sum + Number(nbFrames), 0),
    // The other stream of an MP3 or FLAC is a cover picture, which has no parser, but their audio needs one.
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
    `advanced_editlist=${edited ? 1 : 0}`,
    // amovie probes all streams. Without parsers, none runs on the video.
    ...(withVideo ? ['fflags=noparse+nofillin'] : []),
  ];
  const source = `amovie=filename=fd\\\\::si=${stream}:format_opts=${options.join('\\\\:')}`;
  const chunk = `asetnsamples=n=${RATE * CHUNK_SECONDS}:p=0`;
  const graph = `${source},aresample=${RATE},aformat=sample_fmts=s16:channel_layouts=${layout},${chunk}`;
  const input = new FormatContext();
  check(input.openInputSync(graph, InputFormat.findInputFormat('lavfi'), null));
  const output = pcmOutput(input);
  const packet = new Packet();
  packet.alloc();
  let decoded = false;
  let damaged = false;
  let broken = 0;
  while (broken <= MAX_BROKEN_PACKETS) {
    const result = input.readFrameSync(packet);
    if (result === AVERROR_EOF) break;
    if (result === ENOMEM) check(result);
    // Broken packets are skipped and the rest is read.
    broken = result < 0 ? broken + 1 : 0;
    damaged ||= result < 0;
    if (result >= 0) {
      check(output.writeFrameSync(packet));
      decoded = true;
    }
    packet.unref();
  }
  check(output.writeTrailerSync());
  if (!decoded) locked.exit(damaged ? DECODER_EXIT.unreadable : DECODER_EXIT.noAudio);
  locked.exit(broken > MAX_BROKEN_PACKETS ? DECODER_EXIT.stopped : 0);
}

/** Native, so that no sample takes memory in JavaScript. */
function pcmOutput(input: FormatContext): FormatContext {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 's16le', 'pipe:1'));
  check(output.openOutputSync());
  const codecpar = input.streams[0]?.codecpar;
  if (codecpar !== undefined) check(codecpar.copy(output.newStream().codecpar));
  check(output.writeHeaderSync());
  return output;
}

function refuse(codec: string): never {
  writeSync(1, `${JSON.stringify({ codec })}\n`);
  locked.exit(DECODER_EXIT.unknownCodec);
}

function check(result: number): void {
  if (result < 0) locked.exit(result === ENOMEM ? DECODER_EXIT.outOfMemory : DECODER_EXIT.unreadable);
}

/**
 * The length in the header, for formats where FFmpeg does not give it when the file is shorter.
 * @param head the first bytes of the file @returns seconds; null when the header has no length or a placeholder
 */
function declaredSeconds(head: Buffer): number | null {
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE') return wavSeconds(head);
  return head.subarray(0, ASF_HEADER.length).equals(ASF_HEADER) ? asfSeconds(head) : null;
}

function wavSeconds(head: Buffer): number | null {
  let bytesPerSecond = 0;
  for (let at = 12; at + CHUNK_HEADER_BYTES <= head.length; ) {
    const id = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const body = at + CHUNK_HEADER_BYTES;
    if (id === 'fmt ' && body + 12 <= head.length) bytesPerSecond = head.readUInt32LE(body + 8);
    if (id === 'data') return bytesPerSecond > 0 && size > 0 && size < PLACEHOLDER_BYTES ? size / bytesPerSecond : null;
    at = body + size + (size % 2);
  }
  return null;
}

/** ASF specification, 3.2: the play duration, in units of 100 ns, includes the preroll, in ms. */
function asfSeconds(head: Buffer): number | null {
  const at = head.indexOf(ASF_FILE_PROPERTIES);
  if (at === -1 || at + ASF_PREROLL_AT + 8 > head.length) return null;
  const played = Number(head.readBigUInt64LE(at + ASF_PLAY_DURATION_AT)) / 1e7;
  const preroll = Number(head.readBigUInt64LE(at + ASF_PREROLL_AT)) / 1e3;
  return played > preroll ? played - preroll : null;
}
