import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { quotedBytes } from '../http/input.ts';
import { ClientGone, HttpProblem } from '../http/problem.ts';

export interface UploadLimits {
  /** Of the file. */
  maxBytes: number;
  /** How long the client may send nothing. */
  idleMs: number;
  /** What the client must send, averaged over `idleMs`; 0: no minimum. */
  minBytesPerSecond: number;
}

/** Boundaries, headers and text fields around the file. */
export const FORM_OVERHEAD_BYTES = 256 * 1024;

/** More than a chunk of 64 KiB, so that a single one is no reason to pause the request. */
const BUFFER_BYTES = 128 * 1024;

/**
 * The body of an upload on its way to the parser. The stream fails with an HttpProblem when the client stalls, is too
 * slow or sends too much, and with ClientGone when it closes the connection.
 */
export class UploadBody extends Transform {
  /** For the parser. */
  readonly headers: IncomingHttpHeaders;
  /** The text fields. The parser fills it. */
  body: Record<string, unknown> = {};
  readonly #req: IncomingMessage;
  readonly #maxBytes: number;
  readonly #rate: RateCheck;
  #bytes = 0;

  constructor(req: IncomingMessage, { maxBytes, idleMs, minBytesPerSecond }: UploadLimits) {
    super({ readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: BUFFER_BYTES });
    this.headers = req.headers;
    this.#req = req;
    this.#maxBytes = maxBytes + FORM_OVERHEAD_BYTES;
    this.#rate = new RateCheck(idleMs, minBytesPerSecond, (error) => this.destroy(error));
    // Without a listener a connection reset would end the process. `close` follows it.
    req.on('error', () => {});
    req.on('pause', this.#onPause).on('resume', this.#onResume).on('end', this.#onEnd).on('close', this.#onClose);
    req.pipe(this);
    if (req.destroyed) this.#onClose();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#rate.count(chunk.length);
    collectOften(chunk.length);
    if (this.#bytes <= this.#maxBytes) done(null, chunk);
    else done(new HttpProblem('file_too_large', 'The upload exceeds the size limit. Send one file within the limit.'));
  }

  /** Takes nothing more from the request. */
  stop(): void {
    const req = this.#req;
    this.#rate.stop();
    req.off('pause', this.#onPause).off('resume', this.#onResume).off('end', this.#onEnd).off('close', this.#onClose);
    req.unpipe(this);
    this.destroy();
  }

  // The request is paused when the audio store is slower than the client. That time does not count against the client.
  readonly #onPause = () => this.#rate.pause();
  readonly #onResume = () => this.#rate.resume();
  readonly #onEnd = () => {
    this.#req.off('pause', this.#onPause).off('resume', this.#onResume);
    this.#rate.stop();
  };
  readonly #onClose = () => {
    if (!this.#req.complete) this.destroy(new ClientGone('the client closed the connection'));
  };
}

/** Fails an upload that stalls, or that sends too little: a byte now and then must not hold a connection for days. */
class RateCheck {
  readonly #windowMs: number;
  readonly #minBytesPerSecond: number;
  readonly #fail: (error: HttpProblem) => void;
  #idle: NodeJS.Timeout;
  #window: NodeJS.Timeout | undefined;
  /** Of the present window. */
  #bytes = 0;
  #began = performance.now();
  #pausedMs = 0;
  #pausedAt: number | null = null;

  constructor(idleMs: number, minBytesPerSecond: number, fail: (error: HttpProblem) => void) {
    this.#windowMs = idleMs;
    this.#minBytesPerSecond = minBytesPerSecond;
    this.#fail = fail;
    this.#idle = this.#startIdle();
    if (minBytesPerSecond > 0) this.#window = setTimeout(() => this.#check(), idleMs);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#pausedAt === null) this.#idle.refresh();
  }

  pause(): void {
    clearTimeout(this.#idle);
    this.#pausedAt ??= performance.now();
  }

  resume(): void {
    if (this.#pausedAt !== null) this.#pausedMs += performance.now() - this.#pausedAt;
    this.#pausedAt = null;
    // A cleared timer cannot be refreshed.
    clearTimeout(this.#idle);
    this.#idle = this.#startIdle();
  }

  stop(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#window);
  }

  #startIdle(): NodeJS.Timeout {
    return setTimeout(() => this.#fail(stalled(this.#windowMs)), this.#windowMs);
  }

  /** Judges the window once the client had all of its time for sending. */
  #check(): void {
    const now = performance.now();
    if (this.#pausedAt !== null) {
      this.#pausedMs += now - this.#pausedAt;
      this.#pausedAt = now;
    }
    const leftMs = this.#windowMs - (now - this.#began - this.#pausedMs);
    if (leftMs < 1) {
      const minBytes = (this.#minBytesPerSecond * this.#windowMs) / 1_000;
      // Without a byte the idle timer decides.
      if (this.#bytes > 0 && this.#bytes < minBytes) {
        this.#fail(tooSlow(this.#minBytesPerSecond, this.#windowMs));
        return;
      }
      this.#began = now;
      this.#bytes = 0;
      this.#pausedMs = 0;
    }
    this.#window = setTimeout(() => this.#check(), leftMs < 1 ? this.#windowMs : leftMs);
  }
}

function stalled(idleMs: number): HttpProblem {
  return new HttpProblem(
    'request_timeout',
    `No data arrived for ${idleMs / 1000} seconds. The upload was aborted and nothing was stored. Send it again.`,
  );
}

function tooSlow(minBytesPerSecond: number, windowMs: number): HttpProblem {
  return new HttpProblem(
    'request_timeout',
    `The upload is too slow: fewer than ${quotedBytes(minBytesPerSecond)} a second arrived during ` +
      `${windowMs / 1_000} seconds. ` +
      'It was aborted and nothing was stored. Send it again over a faster connection.',
  );
}

/** Rare enough to be cheap. With 8 MiB, V8 sometimes collects the whole heap instead; with 16 MiB, nearly always. */
const COLLECT_EVERY_BYTES = 4 * 2 ** 20;
let readBytes = 0;
let collectYoung: (() => void) | null = null;

/**
 * Node reads a socket into buffers of 64 KiB, which are garbage soon, but V8 waits for 64 MiB of them and then collects
 * the whole heap. Collecting only the young objects, often, keeps the process 50 MiB smaller and takes a third off the
 * processor time of a large upload.
 * @param bytes just read
 */
function collectOften(bytes: number): void {
  readBytes += bytes;
  if (readBytes < COLLECT_EVERY_BYTES) return;
  readBytes = 0;
  collectYoung ??= youngCollector();
  collectYoung();
}

/**
 * No documented flag does this: with `--max-semi-space-size` of 1 or 8 MiB a process that reads 1 GiB grows by 90 MiB as
 * without, and by 22 MiB with this. `--expose-gc` would have to be in each command that starts a gateway.
 */
function youngCollector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  return () => gc({ type: 'minor' });
}
