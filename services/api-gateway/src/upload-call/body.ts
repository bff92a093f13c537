import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { HttpProblem } from '../http/problem.ts';
import { shownBytes } from '../http/shown.ts';
import { countRead } from './read-buffers.ts';

/** The client closed the connection: there is nobody to answer. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/** Boundaries, headers and text fields around the file. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

/**
 * Stands before multer in the request's place. When something fails, multer reads the request to its end before it says so, which for a file of 2 GiB that is
 * refused after its first bytes would be all of it. This has the headers and nothing to read; the bytes go from the request to the parser through `feed`.
 */
export class UploadBody extends EventEmitter {
  readonly headers: IncomingHttpHeaders;
  readonly readable = false;
  readonly destroyed = false;
  readonly readableEnded = true;
  /** Filled by multer. */
  body: Record<string, unknown> = {};
  readonly #req: IncomingMessage;
  readonly #maxBytes: number;
  readonly #idleMs: number;
  readonly #minBytesPerSecond: number;
  readonly #fail: (error: Error) => void;
  #stop: () => void = () => {};

  /**
   * @param maxBytes of the whole body
   * @param idleMs how long the client may send nothing
   * @param minBytesPerSecond what it must send, averaged over `idleMs`; 0: no minimum
   * @param fail called at most a few times: the client is too slow, sends too much or is gone
   */
  constructor(
    req: IncomingMessage,
    {
      maxBytes,
      idleMs,
      minBytesPerSecond,
      fail,
    }: { maxBytes: number; idleMs: number; minBytesPerSecond: number; fail: (error: Error) => void },
  ) {
    super();
    this.headers = req.headers;
    this.#req = req;
    this.#maxBytes = maxBytes;
    this.#idleMs = idleMs;
    this.#minBytesPerSecond = minBytesPerSecond;
    this.#fail = fail;
  }

  unpipe(): void {}
  resume(): void {}

  /** Gives the request's bytes to the parser, no faster than it takes them. */
  feed(parser: Writable): void {
    const req = this.#req;
    let bytes = 0;
    const idle = setTimeout(() => this.#fail(stalled(this.#idleMs)), this.#idleMs);
    const rate = new LeastRate(this.#minBytesPerSecond, this.#idleMs, this.#fail);
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      countRead(chunk.length);
      rate.count(chunk.length);
      if (bytes > this.#maxBytes) {
        this.#fail(
          new HttpProblem('file_too_large', 'The upload exceeds the size limit. Send one file within the limit.'),
        );
        return;
      }
      if (parser.write(chunk)) {
        idle.refresh();
        return;
      }
      // Now the client waits for us: that time does not count against it.
      clearTimeout(idle);
      rate.pause();
      req.pause();
      parser.once('drain', onDrain);
    };
    const onDrain = () => {
      idle.refresh();
      rate.resume();
      req.resume();
    };
    const onEnd = () => {
      clearTimeout(idle);
      rate.stop();
      parser.end();
    };
    const onClose = () => {
      if (!req.complete) this.#fail(new ClientGone('the client closed the connection'));
    };
    this.#stop = () => {
      clearTimeout(idle);
      rate.stop();
      parser.off('drain', onDrain);
      req.off('data', onData).off('end', onEnd).off('close', onClose).pause();
    };
    // Without a listener the reset of a connection would end the process; `close` follows it.
    req.on('error', () => {});
    req.on('data', onData).on('end', onEnd).on('close', onClose);
    if (req.destroyed) onClose();
  }

  /** Takes nothing more from the request. */
  stop(): void {
    this.#stop();
  }
}

function stalled(idleMs: number): HttpProblem {
  return new HttpProblem(
    'request_timeout',
    `No data arrived for ${idleMs / 1000} seconds. The upload was aborted and nothing was stored. Send it again.`,
  );
}

/** Fails an upload that sends too little, however regularly: one byte at a time must not hold a connection for days. */
class LeastRate {
  readonly #windowMs: number;
  readonly #minBytes: number;
  readonly #fail: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Of the present window. */
  #bytes = 0;
  #pausedMs = 0;
  #pausedAt: number | null = null;
  #began = performance.now();

  constructor(minBytesPerSecond: number, windowMs: number, fail: (error: Error) => void) {
    this.#windowMs = windowMs;
    this.#minBytes = (minBytesPerSecond * windowMs) / 1_000;
    this.#fail = fail;
    if (minBytesPerSecond > 0) this.#wait(windowMs);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  pause(): void {
    this.#pausedAt = performance.now();
  }

  resume(): void {
    if (this.#pausedAt !== null) this.#pausedMs += performance.now() - this.#pausedAt;
    this.#pausedAt = null;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), ms);
  }

  /** Judges the window once the client had all of it for sending. */
  #look(): void {
    const now = performance.now();
    if (this.#pausedAt !== null) {
      this.#pausedMs += now - this.#pausedAt;
      this.#pausedAt = now;
    }
    const leftMs = this.#windowMs - (now - this.#began - this.#pausedMs);
    if (leftMs >= 1) {
      this.#wait(leftMs);
      return;
    }
    // With no byte at all it is the other limit's: that of an upload that stalls.
    if (this.#bytes > 0 && this.#bytes < this.#minBytes) {
      this.#fail(tooSlow(this.#minBytes / (this.#windowMs / 1_000), this.#windowMs));
      return;
    }
    this.#began = now;
    this.#bytes = 0;
    this.#pausedMs = 0;
    this.#wait(this.#windowMs);
  }
}

function tooSlow(minBytesPerSecond: number, windowMs: number): HttpProblem {
  return new HttpProblem(
    'request_timeout',
    `The upload is too slow: fewer than ${shownBytes(minBytesPerSecond)} a second arrived during ${windowMs / 1_000} seconds. ` +
      'It was aborted and nothing was stored. Send it again over a faster connection.',
  );
}
