import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { AudioFormat } from '@call-analytics/contracts';
import { HEAD_BYTES, ID3_HEADER_BYTES, id3TagLength, recognise } from '../audio-format/recognise.ts';
import { quotedBytes } from '../http/input.ts';
import { HttpProblem } from '../http/problem.ts';

/** Buffered before storing begins. With a larger ID3 tag, storing begins before the audio is recognized. */
const BUFFER_BYTES = 256 * 1024;
const ACCEPTED = 'Send one of MP3, WAV, M4A, OGG, FLAC, AAC or WMA.';

/**
 * A file on its way into the audio store, which is counted, hashed if wanted, and recognized by its format. The stream
 * fails with an HttpProblem when the file is too large, empty or not a recording.
 */
export class Recording extends Transform {
  /**
   * Resolves when storing may begin: the file is a recording, or begins with a large ID3 tag. Rejects when the stream
   * fails first.
   */
  readonly acceptable: Promise<void>;
  bytes = 0;
  readonly #maxBytes: number;
  readonly #hash: Hash | null;
  readonly #accept: () => void;
  #kind: { format: AudioFormat; bytesPerSecond: number } | null = null;
  /** The offset of the audio, after the ID3 tags found so far. */
  #audioAt = 0;
  /** The first bytes of the audio. */
  #head: Buffer = Buffer.alloc(0);

  constructor({ maxBytes, isHashed }: { maxBytes: number; isHashed: boolean }) {
    super({ readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: BUFFER_BYTES });
    this.#maxBytes = maxBytes;
    this.#hash = isHashed ? createHash('sha256') : null;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.acceptable = promise;
    this.#accept = resolve;
    promise.catch(() => {});
    this.on('error', reject);
    this.once('close', () => reject(new Error('the recording was aborted')));
  }

  /** After the end of the stream. */
  result(): { format: AudioFormat; seconds: number; bytes: number; sha256: string | null } {
    if (this.#kind === null) throw new Error('the recording has not ended');
    const { format, bytesPerSecond } = this.#kind;
    const seconds = Math.max(0.1, Math.round(((this.bytes - this.#audioAt) / bytesPerSecond) * 10) / 10);
    return { format, seconds, bytes: this.bytes, sha256: this.#hash?.digest('hex') ?? null };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const from = this.bytes;
    this.bytes += chunk.length;
    if (this.bytes > this.#maxBytes) {
      done(recordingTooLarge(this.#maxBytes));
      return;
    }
    this.#hash?.update(chunk);
    if (this.#kind !== null) {
      done(null, chunk);
      return;
    }
    this.#inspect(chunk, from).then(() => done(null, chunk), done);
  }

  override _flush(done: TransformCallback): void {
    if (this.#kind !== null) done();
    else this.#decide(true).then(() => done(), done);
  }

  async #inspect(chunk: Buffer, from: number): Promise<void> {
    this.#head = Buffer.concat([this.#head, chunk.subarray(Math.max(0, this.#audioAt - from))]);
    for (let tag = id3TagLength(this.#head); tag > 0; tag = id3TagLength(this.#head)) {
      this.#audioAt += tag;
      this.#head = this.#head.subarray(tag);
    }
    if (this.#head.length >= HEAD_BYTES) await this.#decide(false);
    else if (this.#audioAt + HEAD_BYTES > BUFFER_BYTES) this.#accept();
  }

  async #decide(whole: boolean): Promise<void> {
    if (this.bytes === 0) throw new HttpProblem('empty_file', `The file is empty. ${ACCEPTED}`);
    if (this.#audioAt > 0 && this.#head.length < ID3_HEADER_BYTES)
      throw new HttpProblem('unreadable_file', `The file has an ID3 tag but no audio. Export it again. ${ACCEPTED}`);
    const found = await recognise(this.#head.subarray(0, HEAD_BYTES), whole);
    if ('unacceptable' in found) throw new HttpProblem('unsupported_format', found.unacceptable);
    if ('looksLike' in found)
      throw new HttpProblem('unsupported_format', `The content of the file looks like ${found.looksLike}. ${ACCEPTED}`);
    this.#kind = found;
    this.#head = Buffer.alloc(0);
    this.#accept();
  }
}

export function recordingTooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(
    'file_too_large',
    `The recording exceeds the limit of ${quotedBytes(maxBytes)}. Send it in a compressed format such as MP3, or in parts.`,
  );
}

const MAX_NAME_CHARACTERS = 255;
/** Kept when a name is cut, because it tells people and programs what the file is. */
const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * The name of an uploaded file without folders, control characters and marks that reverse text (which make `gpj.exe`
 * look
 * like `exe.jpg`), cut to 255 characters.
 */
export function keptFileName(given: string): string {
  const base = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const clean = base
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const bounded = clean.length > MAX_NAME_CHARACTERS ? cut(clean) : clean;
  return bounded === '' || bounded === '.' || bounded === '..' ? 'recording' : bounded;
}

function cut(name: string): string {
  const [extension = ''] = EXTENSION.exec(name) ?? [];
  const stem = name
    .slice(0, MAX_NAME_CHARACTERS - extension.length)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  return stem + extension;
}
