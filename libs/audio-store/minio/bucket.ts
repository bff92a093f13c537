import type { Agent } from 'node:http';
import type { WorkError } from '@call-analytics/service-kit';
import type { BucketItemStat } from 'minio';
import { isGone, s3Code, s3Failure } from './failures.ts';
import { type Version, WITHOUT_VERSIONS } from './objects.ts';
import { S3 } from './s3.ts';
import { impatient, keptConnections, type Patience } from './transport.ts';

export interface S3Options extends Partial<Patience> {
  /** Host name or address. */
  endPoint: string;
  /** 443 or 80 by default. */
  port?: number;
  useSSL: boolean;
  accessKey: string;
  secretKey: string;
  /** Made when it is not there. */
  bucket: string;
  /** us-east-1 by default, which is what stores that know no regions say. */
  region?: string;
}

/** The bucket of recordings: the way to it, and that it is there. */
export class Bucket {
  readonly name: string;
  readonly patience: Patience;
  readonly #options: S3Options;
  readonly #connections: Agent;
  #made: Promise<void> | null = null;
  #keepsVersions: boolean | null = null;

  constructor(options: S3Options) {
    this.#options = options;
    this.name = options.bucket;
    this.patience = {
      connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
      idleTimeoutMs: options.idleTimeoutMs ?? 30_000,
    };
    this.#connections = keptConnections(options.useSSL);
  }

  /** Null while nothing of it was seen yet. May change at any time, so it is for what is looked at again afterwards. */
  get keepsVersions(): boolean | null {
    return this.#keepsVersions;
  }

  /** Takes in what the bucket has been seen to keep. */
  learn(seen: readonly Version[]): void {
    if (seen.length > 0)
      this.#keepsVersions = seen.some((version) => version.isDeleteMarker || version.versionId !== WITHOUT_VERSIONS);
  }

  /**
   * Runs requests, and tells what went wrong in the words of the port. Nothing is tried again here: who called knows better when.
   * @param signal ends the requests, and its reason is what is thrown then
   * @throws WorkError, or the reason of the signal
   */
  async run<T>(work: (s3: S3) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    try {
      return await work(await this.open(signal));
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw this.failure(error);
    }
  }

  /** For what is more than one promise; `run` otherwise. What its requests throw is for `failure`. */
  async open(signal?: AbortSignal): Promise<S3> {
    await unlessAborted(this.#make(), signal);
    return this.#client(signal);
  }

  /** A bucket that has gone is made again by the next request. */
  failure(error: unknown): WorkError {
    if (s3Code(error) === 'NoSuchBucket') this.#made = null;
    return s3Failure(error, this.name);
  }

  /** Looks again whether the bucket is there and can be used. @throws WorkError whose cause says in words what is wrong */
  async check(signal: AbortSignal): Promise<void> {
    this.#made = null;
    await this.run(async () => {}, signal);
  }

  /** A signal belongs to a transport, and so to a client; a client is no more than its settings, and connections are kept for all of them. */
  #client(signal?: AbortSignal): S3 {
    const { endPoint, port, useSSL, accessKey, secretKey, region = 'us-east-1' } = this.#options;
    return new S3({
      endPoint,
      ...(port === undefined ? {} : { port }),
      useSSL,
      accessKey,
      secretKey,
      // Without one, minio asks for it before the first request of each client.
      region,
      transport: impatient(useSSL, this.patience, signal),
      transportAgent: this.#connections,
      retryOptions: { disableRetry: true },
    });
  }

  /** Once for all who wait for it; a failure is forgotten so that the next call tries again. */
  async #make(): Promise<void> {
    this.#made ??= this.#makeMissing().catch((error) => {
      this.#made = null;
      throw error;
    });
    return this.#made;
  }

  async #makeMissing(): Promise<void> {
    const s3 = this.#client();
    if (await exists(s3, this.name)) return;
    try {
      await s3.makeBucket(this.name);
    } catch (error) {
      // Another process that starts at the same time may have been faster.
      if (!(await exists(s3, this.name))) throw error;
    }
  }
}

/** Asks for a page of nothing: unlike the answer to HEAD, a refusal of that has a body which says why. */
async function exists(s3: S3, bucket: string): Promise<boolean> {
  try {
    await s3.listObjectsV2Query(bucket, '-', '', '', 1, '');
    return true;
  } catch (error) {
    if (s3Code(error) === 'NoSuchBucket') return false;
    throw error;
  }
}

/** @returns null when there is no such object, or no bucket: to HEAD the answer is the same */
export async function statIfAny(s3: S3, bucket: string, name: string): Promise<BucketItemStat | null> {
  try {
    return await s3.statObject(bucket, name);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** @returns null when there is no such object in the bucket. Recordings are not gone because their bucket is. */
export async function statOrNull(s3: S3, bucket: string, name: string): Promise<BucketItemStat | null> {
  const found = await statIfAny(s3, bucket, name);
  if (found === null && !(await exists(s3, bucket)))
    throw Object.assign(new Error('no bucket'), { code: 'NoSuchBucket' });
  return found;
}

/** What is shared goes on when one of those who wait for it gives up. */
async function unlessAborted(shared: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return shared;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await Promise.race([shared, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
