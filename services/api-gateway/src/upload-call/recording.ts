import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { AudioFormat } from '@call-analytics/contracts';
import { HEAD_BYTES, ID3_HEADER_BYTES, id3TagLength, recognise } from '../audio-format/recognise.ts';
import { HttpProblem } from '../http/problem.ts';
import { shownBytes } from '../http/shown.ts';

/** What may wait here for the audio store; also how far behind an ID3 tag the sound may begin and still be looked at before anything is stored. */
const BUFFER_BYTES = 256 * 1024;
const ACCEPTED = 'Send one of MP3, WAV, M4A, OGG, FLAC, AAC or WMA.';

/**
 * The bytes of a file on their way into the audio store. They are counted, hashed if somebody wants the hash, and looked at until it is clear what they are;
 * the stream breaks with an HttpProblem when they are too many, none, or not a recording.
 */
export class Recording extends Transform {
  /**
   * Resolves when storing may begin: the file is a recording, or one whose ID3 tag is so large that its sound has yet to come. Rejects when the stream breaks
   * before that.
   */
  readonly acceptable: Promise<void>;
  bytes = 0;
  readonly #maxBytes: number;
  readonly #hash: Hash | null;
  readonly #accept: () => void;
  #kind: { format: AudioFormat; bytesPerSecond: number } | null = null;
  /** Where the sound begins, behind the tags found so far. */
  #soundAt = 0;
  /** What has come of it. */
  #head: Buffer = Buffer.alloc(0);

  constructor({ maxBytes, hashed }: { maxBytes: number; hashed: boolean }) {
    super({ readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: BUFFER_BYTES });
    this.#maxBytes = maxBytes;
    this.#hash = hashed ? createHash('sha256') : null;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.acceptable = promise;
    this.#accept = resolve;
    promise.catch(ignore);
    this.on('error', reject);
    this.once('close', () => reject(new Error('the recording was given up')));
  }

  /** Of a recording that has come to its end. */
  result(): { format: AudioFormat; seconds: number; bytes: number; sha256: string | null } {
    if (this.#kind === null) throw new Error('the recording has not come to its end');
    const { format, bytesPerSecond } = this.#kind;
    const seconds = Math.max(0.1, Math.round(((this.bytes - this.#soundAt) / bytesPerSecond) * 10) / 10);
    return { format, seconds, bytes: this.bytes, sha256: this.#hash?.digest('hex') ?? null };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const from = this.bytes;
    this.bytes += chunk.length;
    if (this.bytes > this.#maxBytes) {
      done(tooLarge(this.#maxBytes));
      return;
    }
    this.#hash?.update(chunk);
    if (this.#kind !== null) {
      done(null, chunk);
      return;
    }
    this.#look(chunk, from).then(() => done(null, chunk), done);
  }

  override _flush(done: TransformCallback): void {
    if (this.#kind !== null) done();
    else this.#decide(true).then(() => done(), done);
  }

  async #look(chunk: Buffer, from: number): Promise<void> {
    this.#head = Buffer.concat([this.#head, chunk.subarray(Math.max(0, this.#soundAt - from))]);
    for (let tag = id3TagLength(this.#head); tag > 0; tag = id3TagLength(this.#head)) {
      this.#soundAt += tag;
      this.#head = this.#head.subarray(tag);
    }
    if (this.#head.length >= HEAD_BYTES) await this.#decide(false);
    else if (this.#soundAt + HEAD_BYTES > BUFFER_BYTES) this.#accept();
  }

  async #decide(whole: boolean): Promise<void> {
    if (this.bytes === 0) throw new HttpProblem('empty_file', `The file is empty. ${ACCEPTED}`);
    if (this.#soundAt > 0 && this.#head.length < ID3_HEADER_BYTES)
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

export function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(
    'file_too_large',
    `The recording exceeds the limit of ${shownBytes(maxBytes)}. Send it in a compressed format such as MP3, or in parts.`,
  );
}

function ignore(): void {}
