import { text } from 'node:stream/consumers';
import { WorkError } from '@call-analytics/service-kit';
import type { Bucket } from './bucket.ts';
import { isGone } from './failures.ts';
import { audioOf, incomingOf, uploadsOf, versionsBelow } from './objects.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const MOST_PARTS = 10_000;

/** Stores an object unless there is one, in stores that know conditional writes. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html */
export const UNLESS_THERE = { 'if-none-match': '*' };

/** A recording on its way in parts. Nothing of it can be read before `complete`. */
export class Multipart {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #headers: Record<string, string>;
  readonly #etags = new Map<number, string>();
  #begun: Promise<string> | null = null;
  /** Where there are versions, which one of it: to remove the object would leave it, behind a delete marker. */
  #sign: { versionId: string | null } | null = null;

  /** @param headers of the object that it will be */
  constructor(bucket: Bucket, key: string, headers: Record<string, string>) {
    this.#bucket = bucket;
    this.#key = key;
    this.#headers = headers;
  }

  get begun(): boolean {
    return this.#begun !== null;
  }

  /** @param number from 1. Sent again under the same number, a part takes the place of the one before. */
  async send(number: number, bytes: Buffer, signal: AbortSignal): Promise<void> {
    if (number > MOST_PARTS) throw tooLarge();
    this.#begun ??= this.#begin(signal);
    const uploadID = await this.#begun;
    const part = {
      bucketName: this.#bucket.name,
      objectName: audioOf(this.#key),
      uploadID,
      partNumber: number,
      headers: {},
    };
    const { etag } = await this.#bucket.run((s3) => s3.uploadPart(part, bytes), signal);
    this.#etags.set(number, etag);
  }

  async complete(signal: AbortSignal): Promise<void> {
    const uploadId = encodeURIComponent((await this.#begun) ?? '');
    const parts = [...this.#etags].sort(([a], [b]) => a - b);
    const xml = parts
      .map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
      .join('');
    await this.#bucket.run(async (s3) => {
      // minio's own `completeMultipartUpload` takes no headers.
      const response = await s3.makeRequestAsync(
        { ...this.#object('POST'), query: `uploadId=${uploadId}`, headers: { ...UNLESS_THERE } },
        `<CompleteMultipartUpload>${xml}</CompleteMultipartUpload>`,
      );
      // S3 says 200 first, and may say later, in the body, that it failed.
      const body = await text(response);
      if (!body.includes('<CompleteMultipartUploadResult'))
        throw Object.assign(new Error('not completed'), { code: /<Code>(\w+)<\/Code>/.exec(body)?.[1] });
    }, signal);
  }

  /** Removes the parts, wherever it stands. */
  async abandon(signal: AbortSignal): Promise<void> {
    if (this.#begun === null) return;
    const known = await this.#begun.catch(() => null);
    const [bucket, name] = [this.#bucket.name, audioOf(this.#key)];
    await this.#bucket.run(async (s3) => {
      // When the answer to its beginning was lost, it may have begun. A key belongs to one upload, so what there is of this key is ours.
      const uploads = known === null ? await uploadsOf(s3, bucket, name) : [{ uploadId: known }];
      for (const { uploadId } of uploads) await s3.abortMultipartUpload(bucket, name, uploadId).catch(unlessGone);
    }, signal);
  }

  /** Takes away the sign that a recording comes in. To be called when it does not any more, either way. */
  async removeSign(signal: AbortSignal): Promise<void> {
    if (this.#begun === null) return;
    const [bucket, name] = [this.#bucket.name, incomingOf(this.#key)];
    await this.#bucket.run(async (s3) => {
      const signs = this.#sign === null ? await versionsBelow(s3, bucket, name) : [this.#sign];
      for (const { versionId } of signs) await s3.removeObject(bucket, name, versionId === null ? {} : { versionId });
    }, signal);
  }

  async #begin(signal: AbortSignal): Promise<string> {
    return this.#bucket.run(async (s3) => {
      this.#sign = await s3.putObject(this.#bucket.name, incomingOf(this.#key), '');
      return s3.initiateNewMultipartUpload(this.#bucket.name, audioOf(this.#key), this.#headers);
    }, signal);
  }

  #object(method: string) {
    return { method, bucketName: this.#bucket.name, objectName: audioOf(this.#key) };
  }
}

function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

function tooLarge(): WorkError {
  const message = 'The recording is larger than can be stored, which is 48 GiB.';
  return new WorkError({ kind: 'rejected', code: 'audio_too_large', message });
}
