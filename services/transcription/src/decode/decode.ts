import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Sound, soundProblem } from '@call-analytics/contracts';
import { type Failure, WorkError } from '@call-analytics/service-kit';
import { z } from 'zod';
import { SAMPLE_RATE } from '../plan/frames.ts';
import { IsolatedProcess } from '../sandbox/isolated-process.ts';
import { DECODER_EXIT, LAYERS, type Layer } from '../sandbox/lock-down.ts';

export interface DecodeLimits {
  /** The longest time in ms to wait for the decoder in all. The time it waits for us does not count. */
  timeMs: number;
  memoryBytes: number;
  /** The longest recording. */
  audioSeconds: number;
  /** Whether a decoder that could not be isolated must not read the recording. */
  requireIsolation?: boolean;
}

/** A recording that ends before its header says so, or before data that could not be decoded. */
export interface CutOff {
  /** The length in the header, in seconds; null when it has none. */
  declaredSeconds: number | null;
}

const Header = z.object({
  channels: z.union([z.literal(1), z.literal(2)]),
  source: z.object({ channels: z.number(), sampleRate: z.number() }),
  declaredSeconds: z.number().nullable(),
  estimatedSeconds: z.number().nullable(),
  layers: z.array(z.enum(LAYERS)),
});
const Refusal = z.object({ codec: z.string() });
type Header = z.infer<typeof Header>;

/** A longer first line is not a header. */
const HEADER_BYTES = 1_000;
/** Headers round, and the last frame may be padding. */
const CUT_SECONDS = 2;
const CUT_SHARE = 0.01;
/** No accepted format holds speech in fewer bytes per second. */
const MIN_BYTES_PER_SECOND = 200;

/** A recording that is decoded in an isolated process, which a full pipe holds back. Always close it. */
export class Decoding {
  readonly #process: IsolatedProcess;
  readonly #limits: DecodeLimits;
  readonly #signal: AbortSignal;
  readonly #chunks: AsyncIterator<Buffer>;
  #waitedMs = 0;
  #rest: Buffer = Buffer.alloc(0);
  #header: Header | null = null;
  #fileBytes = 0;
  #bytes = 0;
  #cutOff: CutOff | null = null;

  /** @param directory holds the recording as `recording`; the decoder can read everything in it */
  constructor(directory: string, limits: DecodeLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
    this.#process = startDecoder(directory, limits, signal);
    // Without a listener Node discards what the decoder wrote, if it ends before the first read.
    this.#process.stdout.on('readable', () => {});
    this.#chunks = this.#process.stdout[Symbol.asyncIterator]();
  }

  /** Undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** After open(): how the process is isolated. */
  get layers(): readonly Layer[] {
    return this.#opened.layers;
  }

  /** After all samples: how the recording was cut off, or null. */
  get cutOff(): CutOff | null {
    return this.#cutOff;
  }

  /**
   * Waits until the decoder has read the header of the recording.
   * @param fileBytes the size of the recording; it bounds the cost and shows which declared lengths are wrong
   * @returns 1 or 2 channels
   * @throws WorkError `rejected`: audio_unreadable, audio_empty, audio_too_long, audio_too_demanding,
   *   audio_unsupported_sound, audio_unsupported_codec; `transient`: decoder_crashed, decoder_not_started,
   *   decoder_not_isolated
   */
  async open(fileBytes: number): Promise<1 | 2> {
    this.#fileBytes = fileBytes;
    for (let end = -1; end === -1; end = this.#rest.indexOf(10)) {
      const chunk = await this.#read();
      if (chunk === null) throw await this.#failure();
      this.#rest = Buffer.concat([this.#rest, chunk]);
      if (this.#rest.length > HEADER_BYTES && !this.#rest.subarray(0, HEADER_BYTES).includes(10))
        throw new Error('the decoder sent no header');
    }
    const end = this.#rest.indexOf(10);
    const line = JSON.parse(this.#rest.toString('utf8', 0, end));
    this.#rest = this.#rest.subarray(end + 1);
    const refusal = Refusal.safeParse(line);
    if (refusal.success) throw unknownCodec(refusal.data.codec);
    this.#header = Header.parse(line);
    const { channels, source, declaredSeconds, estimatedSeconds } = this.#header;
    const problem = soundProblem(source);
    if (problem !== null) throw unacceptableSound(problem);
    const seconds = declaredSeconds ?? estimatedSeconds ?? 0;
    const credible = seconds * MIN_BYTES_PER_SECOND <= fileBytes;
    if (credible && seconds > this.#limits.audioSeconds) throw tooLong(this.#limits.audioSeconds);
    return channels;
  }

  /** After open(). @yields interleaved samples at 16 kHz @throws as open() does */
  async *samples(): AsyncGenerator<Int16Array> {
    const { channels, source } = this.#opened;
    const sampleBytes = 2 * channels;
    const mostSeconds = decodableSeconds(this.#fileBytes, source);
    // What came in one read with the header.
    this.#bytes = this.#rest.length;
    for (let chunk: Buffer | null = Buffer.alloc(0); chunk !== null; chunk = await this.#read()) {
      this.#bytes += chunk.length;
      if (this.#seconds > this.#limits.audioSeconds) throw tooLong(this.#limits.audioSeconds);
      if (this.#seconds > mostSeconds) throw tooDemanding('work');
      const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
      const whole = bytes.length - (bytes.length % sampleBytes);
      this.#rest = bytes.subarray(whole);
      // A chunk may begin at an odd address.
      const aligned = bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes.subarray(0, whole));
      if (whole > 0) yield new Int16Array(aligned.buffer as ArrayBuffer, aligned.byteOffset, whole / 2);
    }
    const failure = await this.#failure();
    if (failure !== null) throw failure;
    const { code } = await this.#process.exit;
    this.#cutOff = this.#cutOffAt(this.#seconds, code === DECODER_EXIT.stopped);
  }

  /** Kills the process if it still runs, and returns when it is gone. */
  async close(): Promise<void> {
    await this.#process.close();
  }

  get #opened(): Header {
    if (this.#header === null) throw new Error('the recording is not open');
    return this.#header;
  }

  /** Decoded so far. */
  get #seconds(): number {
    return this.#bytes / (2 * (this.#header?.channels ?? 1)) / SAMPLE_RATE;
  }

  #cutOffAt(seconds: number, stopped: boolean): CutOff | null {
    const { declaredSeconds } = this.#opened;
    // A length beyond the limit comes from a header that was never completed.
    const declared = declaredSeconds !== null && declaredSeconds <= this.#limits.audioSeconds ? declaredSeconds : null;
    if (declared !== null && declared - seconds > Math.max(CUT_SECONDS, CUT_SHARE * declared))
      return { declaredSeconds: declared };
    return stopped ? { declaredSeconds: null } : null;
  }

  async #read(): Promise<Buffer | null> {
    const began = performance.now();
    const allowedMs = Math.min(this.#limits.timeMs, decodingTimeMs(this.#fileBytes, this.#seconds));
    const timer = setTimeout(() => this.#process.kill(tooDemanding('time')), allowedMs - this.#waitedMs);
    try {
      const { done, value } = await this.#chunks.next();
      return done === true ? null : value;
    } finally {
      clearTimeout(timer);
      this.#waitedMs += performance.now() - began;
    }
  }

  /** Why there is no more to read; null at the end of the recording, or of the part that can be decoded. */
  async #failure(): Promise<Error | null> {
    const { code, signal } = await this.#process.exit;
    this.#signal.throwIfAborted();
    if (this.#process.killedFor !== null) return this.#process.killedFor;
    return code === 0 || code === DECODER_EXIT.stopped ? null : failureOfExit(code, signal, this.#process.lastErrors);
  }
}

function startDecoder(directory: string, limits: DecodeLimits, signal: AbortSignal): IsolatedProcess {
  const { memoryBytes, requireIsolation = false } = limits;
  // Opened for each use, because a duplicated descriptor would share its position in the file.
  const files = [0, 1, 2].map(() => openSync(join(directory, 'recording'), 'r'));
  const [stdin = 0, ...others] = files;
  try {
    return new IsolatedProcess(
      {
        script: new URL('./decoder.child.ts', import.meta.url),
        args: [String(memoryBytes), requireIsolation ? 'required' : 'preferred'],
        directory,
        stdin,
        files: others,
      },
      { memoryBytes, signal, outOfMemory: () => tooDemanding('memory'), notStarted },
    );
  } finally {
    for (const file of files) closeSync(file);
  }
}

// What decoding may cost, in proportion to the bytes of the file and its length: a small file that decodes to hours of
// audio is stopped within seconds. Real recordings stay far below both limits, also on a slow machine.

/** Starting the process and reading the header, on a busy machine. */
const BASE_MS = 30_000;
/** A tenth of the speed of a slow disk. */
const MS_PER_MEGABYTE = 1_000;
/** Fifty times real time. A recent processor is twenty times faster than that. */
const MS_PER_SECOND = 20;

/** An hour and a half of stereo at 44.1 kHz, whatever the size of the file: silence compresses to nothing. */
const BASE_SAMPLES = 500_000_000;
/** Speech codecs at their lowest rates give 64 samples for each byte. */
const SAMPLES_PER_BYTE = 128;

/** @returns how long in ms to wait for the decoder of this file, when it has given this many seconds of audio */
export function decodingTimeMs(fileBytes: number, decodedSeconds: number): number {
  return BASE_MS + (MS_PER_MEGABYTE * fileBytes) / 1e6 + MS_PER_SECOND * decodedSeconds;
}

/** @returns the longest audio, in seconds, that a file of this size may decode to */
export function decodableSeconds(fileBytes: number, { channels, sampleRate }: Sound): number {
  return (BASE_SAMPLES + SAMPLES_PER_BYTE * fileBytes) / (channels * sampleRate);
}

const CONVERT = 'Check that it plays, convert it to MP3 or WAV, and upload it again.';

const rejected = (code: string, message: string): Failure => ({ kind: 'rejected', code, message });
const transient = (code: string, message: string): Failure => ({ kind: 'transient', code, message });

const UNREADABLE = rejected(
  'audio_unreadable',
  `The recording could not be read. It is damaged, incomplete, or not in an accepted format. ${CONVERT}`,
);
const NO_AUDIO = rejected(
  'audio_empty',
  'The file contains no audio. Check that it is the right recording and upload it again.',
);
const TOO_DEMANDING = rejected(
  'audio_too_demanding',
  `Decoding the recording exceeded the limit on time or memory for a file of its size. ${CONVERT}`,
);
/** Counted as an attempt, because a machine without memory also kills decoders. */
const CRASHED = transient('decoder_crashed', `Decoding the recording failed. ${CONVERT}`);
const NOT_STARTED = transient('decoder_not_started', 'The decoder could not be started.');
/** The cause names the setting for the log; the message is for the owner of the call. */
const NOT_ISOLATED = transient(
  'decoder_not_isolated',
  'The recording was not decoded because this installation cannot isolate the decoder. ' +
    'Contact the operator of the service.',
);

/** Classifies the exit of the decoder. @param stderr goes to the log as the cause, never to the caller */
function failureOfExit(code: number | null, signal: NodeJS.Signals | null, stderr: string): WorkError {
  const cause = new Error(`decoder ended with ${signal ?? code}: ${stderr.slice(-2_000)}`);
  switch (code) {
    case DECODER_EXIT.unreadable:
      return new WorkError(UNREADABLE, { cause });
    case DECODER_EXIT.noAudio:
      return new WorkError(NO_AUDIO, { cause });
    case DECODER_EXIT.outOfMemory:
      return new WorkError(TOO_DEMANDING, { cause });
    case DECODER_EXIT.notIsolated:
      return new WorkError(NOT_ISOLATED, {
        cause: new Error('DECODER_ISOLATION is "required", and the kernel or the container refuses seccomp'),
      });
    default:
      return new WorkError(CRASHED, { cause });
  }
}

/** @param limit the exceeded one; `work` is the number of samples for a file of its size */
function tooDemanding(limit: 'time' | 'memory' | 'work'): WorkError {
  return new WorkError(TOO_DEMANDING, { cause: new Error(`the decoder exceeded its limit on ${limit}`) });
}

export function notStarted(cause: unknown): WorkError {
  return new WorkError(NOT_STARTED, { cause });
}

/** @param maxSeconds the longest recording that is accepted */
export function tooLong(maxSeconds: number): WorkError {
  const hours = Math.round((maxSeconds / 3600) * 10) / 10;
  const message = `The recording is longer than ${hours} hours. Split it and upload the parts.`;
  return new WorkError(rejected('audio_too_long', message));
}

/** @param problem what is wrong with its channels or sample rate, and what to do */
function unacceptableSound(problem: string): WorkError {
  return new WorkError(rejected('audio_unsupported_sound', problem));
}

/** @param codec FFmpeg's name for it */
export function unknownCodec(codec: string): WorkError {
  const message = `The recording uses the codec "${codec}", which is not supported.`;
  return new WorkError(rejected('audio_unsupported_codec', `${message} Convert it to MP3 or WAV and upload it again.`));
}

export function noAudio(): WorkError {
  return new WorkError(NO_AUDIO);
}
