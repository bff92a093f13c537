import type { ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { SAMPLE_RATE } from '../plan/frames.ts';
import { startBare } from './bare-process.ts';
import { failureOfExit, notStarted, tooDemanding, tooLong } from './failures.ts';
import { watchMemory } from './rss.ts';

export interface DecodeLimits {
  /** Time that the decoder may keep us waiting in all. The time it waits for us does not count. */
  timeMs: number;
  memoryBytes: number;
  /** The longest recording. */
  audioSeconds: number;
}

const Header = z.object({ channels: z.union([z.literal(1), z.literal(2)]), declaredSeconds: z.number().nullable() });

const HEAP_MIB = 64;
const STDERR_CHARS = 4_000;
/** What a header line may take; more is no header of ours. */
const HEADER_BYTES = 1_000;

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
  #timeLeftMs: number;
  #killedFor: Error | null = null;
  #stderr = '';
  #rest: Buffer = Buffer.alloc(0);
  #channels = 0;
  #bytes = 0;

  /** @param directory holds the recording under the name `recording`, and nothing that a stranger may not read */
  constructor(directory: string, limits: DecodeLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#timeLeftMs = limits.timeMs;
    this.#signal = signal;
    this.#child = startDecoder(directory);
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
    this.#stopWatching = pid === undefined ? () => {} : watchMemory(pid, limits.memoryBytes, () => this.#kill(tooDemanding('memory')));
    signal.addEventListener('abort', this.#abort, { once: true });
    if (signal.aborted) this.#kill();
  }

  /** Of its process; undefined when that could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Waits until the recording has been recognised.
   * @param fileBytes its size: a declared length that the file has no room for is a broken header, not a long recording
   * @returns 1 or 2 channels
   * @throws WorkError `rejected`: audio_unreadable, audio_empty, audio_too_long, audio_too_demanding; `transient`: decoder_crashed, decoder_not_started
   */
  async open(fileBytes: number): Promise<1 | 2> {
    for (let end = -1; end === -1; end = this.#rest.indexOf(10)) {
      const chunk = await this.#read();
      if (chunk === null) throw await this.#failure();
      this.#rest = Buffer.concat([this.#rest, chunk]);
      if (this.#rest.length > HEADER_BYTES && !this.#rest.subarray(0, HEADER_BYTES).includes(10))
        throw new Error('the decoder sent no header');
    }
    const end = this.#rest.indexOf(10);
    const header = Header.parse(JSON.parse(this.#rest.toString('utf8', 0, end)));
    this.#rest = this.#rest.subarray(end + 1);
    this.#channels = header.channels;
    if (isCredible(header.declaredSeconds, fileBytes) && header.declaredSeconds > this.#limits.audioSeconds)
      throw tooLong(this.#limits.audioSeconds);
    return header.channels;
  }

  /** After open(). @yields interleaved samples at 16 kHz @throws as open() does */
  async *samples(): AsyncGenerator<Int16Array> {
    const sampleBytes = 2 * this.#channels;
    const most = this.#limits.audioSeconds * SAMPLE_RATE * sampleBytes;
    for (let chunk: Buffer | null = Buffer.alloc(0); chunk !== null; chunk = await this.#read()) {
      this.#bytes += chunk.length;
      if (this.#bytes > most) throw tooLong(this.#limits.audioSeconds);
      const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
      const whole = bytes.length - (bytes.length % sampleBytes);
      this.#rest = bytes.subarray(whole);
      // Copied, because a chunk may begin at an odd address.
      if (whole > 0) yield new Int16Array(new Uint8Array(bytes.subarray(0, whole)).buffer);
    }
    const failure = await this.#failure();
    if (failure !== null) throw failure;
  }

  /** Ends the process if it still runs, and returns when it is gone. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#stopWatching();
    this.#kill();
    await this.#chunks.return?.();
    await this.#exit;
  }

  async #read(): Promise<Buffer | null> {
    const began = performance.now();
    const timer = setTimeout(() => this.#kill(tooDemanding('time')), this.#timeLeftMs);
    try {
      const { done, value } = await this.#chunks.next();
      return done === true ? null : value;
    } finally {
      clearTimeout(timer);
      this.#timeLeftMs -= performance.now() - began;
    }
  }

  #kill(why: Error | null = null): void {
    this.#killedFor ??= why;
    this.#child.kill('SIGKILL');
  }

  /** Why there is no more to read; null when the recording has simply ended. */
  async #failure(): Promise<Error | null> {
    const { code, signal } = await this.#exit;
    this.#signal.throwIfAborted();
    if (this.#killedFor !== null) return this.#killedFor;
    return code === 0 ? null : failureOfExit(code, signal, this.#stderr);
  }
}

/** Some failures to start a process are thrown, others come as an event. */
function startDecoder(directory: string): ChildProcess {
  try {
    return startBare({ script: new URL('./decoder.child.ts', import.meta.url), directory, stdin: 'ignore', heapMiB: HEAP_MIB });
  } catch (error) {
    throw notStarted(error);
  }
}

/** Less than this per second no accepted format holds speech in. */
const LEAST_BYTES_PER_SECOND = 200;

function isCredible(declaredSeconds: number | null, fileBytes: number): declaredSeconds is number {
  return declaredSeconds !== null && declaredSeconds * LEAST_BYTES_PER_SECOND <= fileBytes;
}
