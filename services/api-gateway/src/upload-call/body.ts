import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { HttpProblem } from '../http/problem.ts';
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
  readonly #fail: (error: Error) => void;
  #stop: () => void = () => {};

  /**
   * @param maxBytes of the whole body
   * @param idleMs how long the client may send nothing
   * @param fail called at most a few times, when the client is too slow, too much or gone
   */
  constructor(req: IncomingMessage, { maxBytes, idleMs, fail }: { maxBytes: number; idleMs: number; fail: (error: Error) => void }) {
    super();
    this.headers = req.headers;
    this.#req = req;
    this.#maxBytes = maxBytes;
    this.#idleMs = idleMs;
    this.#fail = fail;
  }

  unpipe(): void {}
  resume(): void {}

  /** Gives the request's bytes to the parser, no faster than it takes them. */
  feed(parser: Writable): void {
    const req = this.#req;
    let bytes = 0;
    const idle = setTimeout(() => this.#fail(stalled(this.#idleMs)), this.#idleMs);
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      countRead(chunk.length);
      if (bytes > this.#maxBytes) {
        this.#fail(new HttpProblem('file_too_large', 'The body goes on behind what an upload may be. Send one file of the size allowed.'));
        return;
      }
      if (parser.write(chunk)) {
        idle.refresh();
        return;
      }
      // Now the client waits for us: that is not its standing still.
      clearTimeout(idle);
      req.pause();
      parser.once('drain', onDrain);
    };
    const onDrain = () => {
      idle.refresh();
      req.resume();
    };
    const onEnd = () => {
      clearTimeout(idle);
      parser.end();
    };
    const onClose = () => {
      if (!req.complete) this.#fail(new ClientGone('the client closed the connection'));
    };
    this.#stop = () => {
      clearTimeout(idle);
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
    `Nothing arrived for ${idleMs / 1000} seconds, so the upload was given up and nothing of it was kept. Send it again.`,
  );
}
