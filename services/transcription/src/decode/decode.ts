import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { soundProblem } from '@call-analytics/contracts';
import { z } from 'zod';
import { SAMPLE_RATE } from '../plan/frames.ts';
import { startBare } from '../sandbox/bare-process.ts';
import { LAYERS, type Layer } from '../sandbox/lock-down.ts';
import { watchMemory } from '../sandbox/rss.ts';
import { decodableSeconds, decodingTimeMs } from './budget.ts';
import { DECODER_EXIT } from './exits.ts';
import { failureOfExit, notStarted, tooDemanding, tooLong, unacceptableSound, unknownCodec } from './failures.ts';

export interface DecodeLimits {
  /** The most time that the decoder may keep us waiting in all, however large the recording is. The time it waits for us does not count. */
  timeMs: number;
  memoryBytes: number;
  /** The longest recording. */
  audioSeconds: number;
  /** Whether a decoder that could not be isolated must not read the recording. */
  requireIsolation?: boolean;
}

/** A recording that ends before its header says so, or before what could not be decoded. */
export interface CutOff {
  /** The length that its header promises, in seconds; null when it does not tell. */
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

const HEAP_MIB = 64;
const STDERR_CHARS = 4_000;
/** What a header line may take; more is no header of ours. */
const HEADER_BYTES = 1_000;
/** Headers round, and the last frame may be padding. */
const CUT_SECONDS = 2;
const CUT_SHARE = 0.01;

/**
 * A recording being decoded in a process of its own. Reading slowly holds the decoder back; nothing is written to disk. Close it whatever happens.
 */
export class Decoding {
  readonly #child: ChildProcess;
  readonly #limits: DecodeLimits;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #stopWatching: () => void;
  readonly #signal: AbortSignal;
  readonly #abort = () => this.#kill();
  #waitedMs = 0;
  #killedFor: Error | null = null;
  #stderr = '';
  #rest: Buffer = Buffer.alloc(0);
  #header: Header | null = null;
  #fileBytes = 0;
  #bytes = 0;
  #cutOff: CutOff | null = null;

  /** @param directory holds the recording under the name `recording`, and nothing that a stranger may not read */
  constructor(directory: string, limits: DecodeLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
    this.#child = startDecoder(directory, limits);
    const { stdout, stderr, pid } = this.#child;
    if (stdout === null || stderr === null) throw new Error('the decoder has no pipes');
    this.#chunks = stdout[Symbol.asyncIterator]();
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS);
    });
    this.#exit = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve({ code, signal }));
      this.#child.once('error', (error) => this.#kill(notStarted(error)));
    });
    this.#stopWatching =
      pid === undefined ? () => {} : watchMemory(pid, limits.memoryBytes, () => this.#kill(tooDemanding('memory')));
    signal.addEventListener('abort', this.#abort, { once: true });
    if (signal.aborted) this.#kill();
  }

  /** Of its process; undefined when that could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
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
   * Waits until the recording has been recognised.
   * @param fileBytes its size: bounds what decoding may cost, and a length that the file has no room for is a broken header, not a long recording
   * @returns 1 or 2 channels
   * @throws WorkError `rejected`: audio_unreadable, audio_empty, audio_too_long, audio_too_demanding, audio_unsupported_sound, audio_unsupported_codec;
   *   `transient`: decoder_crashed, decoder_not_started, decoder_not_isolated
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
    const seconds = declaredSeconds ?? estimatedSeconds;
    if (isCredible(seconds, fileBytes) && seconds > this.#limits.audioSeconds) throw tooLong(this.#limits.audioSeconds);
    return channels;
  }

  /** After open(). @yields interleaved samples at 16 kHz @throws as open() does */
  async *samples(): AsyncGenerator<Int16Array> {
    const { channels, source } = this.#opened;
    const sampleBytes = 2 * channels;
    const mostSeconds = decodableSeconds(this.#fileBytes, source);
    for (let chunk: Buffer | null = Buffer.alloc(0); chunk !== null; chunk = await this.#read()) {
      this.#bytes += chunk.length;
      if (this.#seconds > this.#limits.audioSeconds) throw tooLong(this.#limits.audioSeconds);
      if (this.#seconds > mostSeconds) throw tooDemanding('work');
      const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
      const whole = bytes.length - (bytes.length % sampleBytes);
      this.#rest = bytes.subarray(whole);
      // Copied, because a chunk may begin at an odd address.
      if (whole > 0) yield new Int16Array(new Uint8Array(bytes.subarray(0, whole)).buffer);
    }
    const failure = await this.#failure();
    if (failure !== null) throw failure;
    const { code } = await this.#exit;
    this.#cutOff = this.#cutOffAt(this.#seconds, code === DECODER_EXIT.stopped);
  }

  /** Ends the process if it still runs, and returns when it is gone. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#stopWatching();
    this.#kill();
    await this.#chunks.return?.();
    await this.#exit;
  }

  get #opened(): Header {
    if (this.#header === null) throw new Error('the recording is not open');
    return this.#header;
  }

  /** What was decoded so far. */
  get #seconds(): number {
    return this.#bytes / (2 * (this.#header?.channels ?? 1)) / SAMPLE_RATE;
  }

  #cutOffAt(seconds: number, stopped: boolean): CutOff | null {
    const { declaredSeconds } = this.#opened;
    // Longer than any recording may be: a header that was never completed.
    const declared = declaredSeconds !== null && declaredSeconds <= this.#limits.audioSeconds ? declaredSeconds : null;
    if (declared !== null && declared - seconds > Math.max(CUT_SECONDS, CUT_SHARE * declared))
      return { declaredSeconds: declared };
    return stopped ? { declaredSeconds: null } : null;
  }

  async #read(): Promise<Buffer | null> {
    const began = performance.now();
    const allowedMs = Math.min(this.#limits.timeMs, decodingTimeMs(this.#fileBytes, this.#seconds));
    const timer = setTimeout(() => this.#kill(tooDemanding('time')), allowedMs - this.#waitedMs);
    try {
      const { done, value } = await this.#chunks.next();
      return done === true ? null : value;
    } finally {
      clearTimeout(timer);
      this.#waitedMs += performance.now() - began;
    }
  }

  #kill(why: Error | null = null): void {
    this.#killedFor ??= why;
    this.#child.kill('SIGKILL');
  }

  /** Why there is no more to read; null when the recording has simply ended, or the rest of it cannot be decoded. */
  async #failure(): Promise<Error | null> {
    const { code, signal } = await this.#exit;
    this.#signal.throwIfAborted();
    if (this.#killedFor !== null) return this.#killedFor;
    return code === 0 || code === DECODER_EXIT.stopped ? null : failureOfExit(code, signal, this.#stderr);
  }
}

/** Some failures to start a process are thrown, others come as an event. */
function startDecoder(directory: string, { memoryBytes, requireIsolation = false }: DecodeLimits): ChildProcess {
  // Two descriptors, because a copy of one would share its position in the file.
  const files = [0, 1].map(() => openSync(join(directory, 'recording'), 'r'));
  const [look = 0, decode = 0] = files;
  try {
    const script = new URL('./decoder.child.ts', import.meta.url);
    return startBare({
      script,
      args: [String(memoryBytes), requireIsolation ? 'required' : 'preferred'],
      directory,
      stdin: look,
      files: [decode],
      heapMiB: HEAP_MIB,
    });
  } catch (error) {
    throw notStarted(error);
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Less than this per second no accepted format holds speech in. */
const LEAST_BYTES_PER_SECOND = 200;

function isCredible(seconds: number | null, fileBytes: number): seconds is number {
  return seconds !== null && seconds * LEAST_BYTES_PER_SECOND <= fileBytes;
}
