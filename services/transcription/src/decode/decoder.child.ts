import { writeSync } from 'node:fs';
import { AV_LOG_QUIET, AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat, Log, Packet } from 'node-av/lib';
import { DECODER_EXIT } from './exits.ts';

// The decoding process: `recording` in the working directory comes in; out goes one line of JSON and then 16 kHz PCM, 16 bit, interleaved, on standard output. It has an empty environment
// and dies rather than recover: hostile media is meant to hit a process that knows nothing.
//
// One native graph does all the work, and JavaScript sees two seconds of audio at a time. Everything is synchronous on purpose: a full pipe holds the decoder back.

/** The name is part of the filter's syntax, so it is a fixed one. */
const FILE = 'recording';
/** The seven accepted formats. Without this list a text file could be a playlist that makes FFmpeg read other files, or the network. */
const FORMATS = ['mp3', 'wav', 'mov', 'ogg', 'flac', 'aac', 'asf'];
const ENOMEM = -12;
const CHUNK_SECONDS = 2;
/** More in a row than the packets of a recording of many hours: then it does not get on at all. */
const MOST_BROKEN = 2_000_000;
const RATE = 16_000;

Log.setLevel(AV_LOG_QUIET);
const { channels, stream, declaredSeconds } = inspect();
writeSync(1, `${JSON.stringify({ channels, declaredSeconds })}\n`);
decode();

/** Opens the recording by its content. */
function inspect(): { channels: 1 | 2; stream: number; declaredSeconds: number | null } {
  const container = new FormatContext();
  check(container.openInputSync(FILE, null, Dictionary.fromObject({ format_whitelist: FORMATS.join(','), protocol_whitelist: 'file' })));
  check(container.findStreamInfoSync(null));
  const audio = container.streams.find(
    (candidate) => candidate.codecpar.codecType === AVMEDIA_TYPE_AUDIO && candidate.codecpar.channels > 0,
  );
  if (audio === undefined) process.exit(DECODER_EXIT.noAudio);
  const seconds = Number(container.duration) / 1e6;
  const found = {
    // Two channels may be two people. More are a surround mix or a conference: they become one.
    channels: audio.codecpar.channels === 2 ? 2 : 1,
    stream: audio.index,
    declaredSeconds: seconds > 0 ? seconds : null,
  } as const;
  container.closeInputSync();
  return found;
}

function decode(): void {
  const layout = channels === 2 ? 'stereo' : 'mono';
  const formats = FORMATS.join('\\,');
  const source = `amovie=${FILE}:si=${stream}:format_opts=protocol_whitelist=file\\\\:format_whitelist='${formats}'`;
  const graph = `${source},aresample=${RATE},aformat=sample_fmts=s16:channel_layouts=${layout},asetnsamples=n=${RATE * CHUNK_SECONDS}:p=0`;
  const input = new FormatContext();
  check(input.openInputSync(graph, InputFormat.findInputFormat('lavfi'), null));
  const packet = new Packet();
  packet.alloc();
  let decoded = false;
  let damaged = false;
  for (let broken = 0; broken <= MOST_BROKEN; ) {
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
  if (!decoded) process.exit(damaged ? DECODER_EXIT.unreadable : DECODER_EXIT.noAudio);
}

function write(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

function check(result: number): void {
  if (result < 0) process.exit(result === ENOMEM ? DECODER_EXIT.outOfMemory : DECODER_EXIT.unreadable);
}
