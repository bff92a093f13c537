import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { storeUnavailable } from '../failures.ts';
import { storeFailure as fileFailure, hasCode } from '../folder/failures.ts';
import type { Bucket } from './bucket.ts';

/** A connection that breaks is tried again from where it broke off, this many times; then whoever asked knows better when to come back. */
const RESUMPTIONS = 5;

/** Brings an object into a new file, all of it or not at all. */
export async function fetchWhole(
  bucket: Bucket,
  name: string,
  toFile: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const file = await open(toFile, 'wx', 0o600).catch((error) => {
    throw hasCode(error, 'EEXIST') ? error : fileFailure(error);
  });
  try {
    await new Fetching(bucket, name, file, signal).run();
    await file.close();
  } catch (error) {
    await file.close().catch(() => {});
    await rm(toFile, { force: true });
    signal?.throwIfAborted();
    throw error;
  }
}

class Fetching {
  readonly #bucket: Bucket;
  readonly #name: string;
  readonly #file: FileHandle;
  readonly #signal: AbortSignal | undefined;
  #received = 0;
  #fileFailed = false;
  /** Of the first answer. Another would be of another recording. */
  #object: { bytes: number; etag: string | undefined } | null = null;

  constructor(bucket: Bucket, name: string, file: FileHandle, signal: AbortSignal | undefined) {
    this.#bucket = bucket;
    this.#name = name;
    this.#file = file;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    for (let left = RESUMPTIONS; ; left--) {
      const before = this.#received;
      try {
        await this.#bucket.run(
          async (s3) => this.#receive(await s3.getPartialObject(this.#bucket.name, this.#name, this.#received)),
          this.#signal,
        );
        return;
      } catch (error) {
        // Without progress there is no reason to believe in the next try.
        if (this.#fileFailed || this.#signal?.aborted === true || left === 0 || this.#received === before) throw error;
      }
    }
  }

  async #receive(body: NodeJS.ReadableStream): Promise<void> {
    const answer = body as IncomingMessage;
    this.#expect(answer);
    for await (const chunk of answer) {
      await this.#file.appendFile(chunk as Buffer).catch((error) => {
        this.#fileFailed = true;
        throw fileFailure(error);
      });
      this.#received += (chunk as Buffer).length;
    }
    if (this.#received !== this.#object?.bytes)
      throw new Error(`the answer ended after ${this.#received} of ${this.#object?.bytes} bytes`);
  }

  #expect({ headers, statusCode }: IncomingMessage): void {
    const bytes = this.#received + Number(headers['content-length']);
    this.#object ??= { bytes, etag: headers.etag };
    const same = bytes === this.#object.bytes && headers.etag === this.#object.etag;
    if (!same || (this.#received > 0 && statusCode !== 206))
      throw storeUnavailable(new Error('the S3 store answered with another object'));
  }
}
