import { writeSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_LOG_DEBUG,
  AV_LOG_ERROR,
  AV_LOG_INFO,
  AV_SAMPLE_FMT_S16,
  AVERROR_EOF,
  AVFILTER_THREAD_SLICE,
} from 'node-av/constants';
import { Filter, type FilterContext, FilterGraph, Frame, Log } from 'node-av/lib';
import { type LockedDown, lockDown, WHISPER_EXIT } from '../../sandbox/lock-down.ts';

// The whisper process reads one segment of PCM (mono, 16 kHz, 16 bit) from standard input and writes the lines of
// FFmpeg's whisper filter, one per word, then a line of ours. The filter gives its last words at the end of a stream
// and would then load the model again: a longer life would only save Node's start, and keep what a segment has broken.

const RATE = 16_000;
/** Our own marks in the log, which arrives later than the work it describes. */
const LOADED = 'the model is loaded';
const END_OF_LOG = 'this is the end of the log';
const LOG_TIMEOUT_MS = 5_000;

const [model = '', language = 'auto', threads = '1', memoryBytes = '0'] = process.argv.slice(2);
let detected: string | null = null;
let failed = false;
const logged = listenToLog();
const pcm = await buffer(process.stdin);
const seconds = pcm.length / 2 / RATE;

const graph = new FilterGraph();
graph.alloc();
// FFmpeg's default is one thread more than cores. They wait for each other by spinning: measured on busy cores, they
// took five times as long as a single thread.
graph.threadType = AVFILTER_THREAD_SLICE;
graph.nbThreads = Number(threads);
const source = filter('abuffer', {
  sample_rate: RATE,
  sample_fmt: 's16',
  channel_layout: 'mono',
  time_base: `1/${RATE}`,
});
const whisper = filter('whisper', {
  model,
  language,
  // Longer than the segment, so that whisper gets all of it at once.
  queue: seconds + 1,
  // Graphics drivers crash most, and need more of the system than this process has.
  use_gpu: 0,
  // One line for each word, with its time.
  max_len: 1,
  destination: '-',
  format: 'json',
});
const sink = filter('abuffersink', {});
check(source.link(0, whisper, 0));
check(whisper.link(0, sink, 0));
check(graph.configSync());
Log.log(AV_LOG_INFO, LOADED);
writeSync(2, 'loaded\n');
// One turn of the event loop first: afterwards it must not wait for new events, because lockDown forbids io_uring.
await new Promise((resolve) => setImmediate(resolve));
const locked: LockedDown = await lockDown({ memoryBytes: Number(memoryBytes), threads: true });

const frame = Frame.fromAudioBuffer(pcm, {
  nbSamples: pcm.length / 2,
  format: AV_SAMPLE_FMT_S16,
  sampleRate: RATE,
  channelLayout: { order: AV_CHANNEL_ORDER_NATIVE, nbChannels: 1, mask: 4n },
  timeBase: { num: 1, den: RATE },
});
frame.pts = 0n;
check(source.buffersrcAddFrameSync(frame));
check(source.buffersrcAddFrameSync(null));
const heard = new Frame();
heard.alloc();
for (let result = 0; result !== AVERROR_EOF; result = sink.buffersinkGetFrameSync(heard)) {
  check(result);
  heard.unref();
}

Log.log(AV_LOG_INFO, END_OF_LOG);
const timeout = setTimeout(() => locked.exit(WHISPER_EXIT.failed), LOG_TIMEOUT_MS);
await logged;
clearTimeout(timeout);
if (failed) locked.exit(WHISPER_EXIT.failed);
writeSync(1, `${JSON.stringify({ done: true, language: detected })}\n`);
locked.exit(0);

function filter(name: string, options: Record<string, string | number>): FilterContext {
  const found = Filter.getByName(name);
  const context = found === null ? null : graph.allocFilter(found, name);
  if (context === null) throw new Error(`FFmpeg has no filter ${name}`);
  for (const [option, value] of Object.entries(options)) check(context.setOption(option, String(value)));
  if (context.init() < 0) process.exit(name === 'whisper' ? WHISPER_EXIT.model : WHISPER_EXIT.failed);
  return context;
}

function check(result: number): void {
  if (result < 0) process.exit(WHISPER_EXIT.failed);
}

/**
 * Only the log tells the detected language and that whisper failed. It also holds what was said, so nothing is passed
 * on.
 * @returns resolves at END_OF_LOG
 */
function listenToLog(): Promise<void> {
  Log.setLevel(AV_LOG_DEBUG);
  return new Promise((resolve) => {
    const hear = (level: number, message: string) => {
      detected = /auto-detected language: (\w+)/.exec(message)?.[1] ?? detected;
      // A missing graphics card is an error in the log while the model loads; a failed load shows elsewhere.
      if (level <= AV_LOG_ERROR) failed = true;
      if (message.includes(LOADED)) failed = false;
      if (message.includes(END_OF_LOG)) resolve();
    };
    Log.setCallback(hear, { maxLevel: AV_LOG_DEBUG });
  });
}
