import type { Agent } from 'node:http';
import { untilAborted, type WorkError } from '@call-analytics/service-kit';
import { isKey } from '../audio-store.ts';
import { isGone, keepAliveAgent, S3Client, s3Code, s3Failure, type Timeouts } from './client.ts';

export interface S3Options extends Partial<Timeouts> {
  /** Host name or address. */
  endPoint: string;
  /** 443 or 80 by default. */
  port?: number;
  useSSL: boolean;
  accessKey: string;
  secretKey: string;
  /** Created if missing. */
  bucket: string;
  /** us-east-1 by default, which stores without regions report. */
  region?: string;
}

/** The bucket of recordings, and the clients for it. */
export class Bucket {
  readonly name: string;
  readonly #options: S3Options;
  readonly #connections: Agent;
  #made: Promise<void> | null = null;
  #keepsVersions: boolean | null = null;

  constructor(options: S3Options) {
    this.#options = options;
    this.name = options.bucket;
    this.#connections = keepAliveAgent(options.useSSL);
  }

  /** Null until a version was seen. It may change at any time, so a caller must check again afterwards. */
  get keepsVersions(): boolean | null {
    return this.#keepsVersions;
  }

  /** Learns from versions that were listed whether the bucket keeps them. */
  learn(seen: readonly Version[]): void {
    if (seen.length > 0)
      this.#keepsVersions = seen.some((version) => version.isDeleteMarker || version.versionId !== WITHOUT_VERSIONS);
  }

  /**
   * Runs requests and translates their errors. Nothing is retried here: the caller knows better when.
   * @param signal ends the requests; its reason is thrown then
   * @throws WorkError, or the reason of the signal
   */
  async run<T>(work: (s3: S3Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    try {
      return await work(await this.open(signal));
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw this.failure(error);
    }
  }

  /** For work that is not a single promise; use `run` otherwise. Pass what its requests throw to `failure`. */
  async open(signal?: AbortSignal): Promise<S3Client> {
    await untilAborted(this.#make(), signal);
    return this.#client(signal);
  }

  /** A bucket that is gone is created again by the next request. */
  failure(error: unknown): WorkError {
    if (s3Code(error) === 'NoSuchBucket') this.#made = null;
    return s3Failure(error, this.name);
  }

  /** Checks again that the bucket exists and can be used. @throws WorkError whose cause says what is wrong */
  async check(signal: AbortSignal): Promise<void> {
    this.#made = null;
    await this.run(async () => {}, signal);
  }

  #client(signal?: AbortSignal): S3Client {
    const { bucket: _, connectTimeoutMs = 5_000, idleTimeoutMs = 30_000, ...options } = this.#options;
    // Without a region, minio-js asks for it before the first request of each client.
    const region = options.region ?? 'us-east-1';
    const timeouts = { connectTimeoutMs, idleTimeoutMs };
    return new S3Client({ ...options, ...timeouts, region, signal, transportAgent: this.#connections });
  }

  /** Once for all callers that wait. A failure is forgotten, so that the next call tries again. */
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
      // Another process that starts at the same time may have created it.
      if (!(await exists(s3, this.name))) throw error;
    }
  }
}

/** Asks for an empty page: unlike a response to HEAD, its refusal has a body that says why. */
async function exists(s3: S3Client, bucket: string): Promise<boolean> {
  try {
    await s3.listObjectsV2Query(bucket, '-', '', '', 1, '');
    return true;
  } catch (error) {
    if (s3Code(error) === 'NoSuchBucket') return false;
    throw error;
  }
}

/**
 * By a listing and not by HEAD, which needs the right to read the object.
 * @returns null when the bucket has no such object. A missing bucket is an error: its recordings are not deleted.
 */
export async function statOrNull(
  s3: S3Client,
  bucket: string,
  name: string,
): Promise<{ size: number; lastModified: Date } | null> {
  const { objects } = await s3.listObjectsV2Query(bucket, name, '', '', 1, '');
  const found = objects.find((object) => object.name === name);
  return found?.lastModified === undefined ? null : { size: found.size, lastModified: found.lastModified };
}

/**
 * Everything about a recording is below one name, like a folder, so that a store that reads folders finds it at once
 * among a million. The prefix lets the bucket hold other things too.
 */
const PREFIX = 'recordings/';

export function folderOf(key: string): string {
  return `${PREFIX}${key}/`;
}

/** The name of the recording. */
export function audioOf(key: string): string {
  return `${folderOf(key)}audio`;
}

/**
 * The name of an empty object that exists while a recording is uploaded in parts. It finds dead uploads: MinIO
 * forgets its own list at a restart, and each of several servers knows only its own uploads, but all of one object.
 */
export function incomingOf(key: string): string {
  return `${folderOf(key)}incoming`;
}

/** @returns the key and what the object is, or null for an object that this store did not make */
export function readName(name: string): { key: string; isAudio: boolean } | null {
  const [, key = '', object] = /^recordings\/([^/]+)\/(audio|incoming)$/.exec(name) ?? [];
  return isKey(key) ? { key, isAudio: object === 'audio' } : null;
}

/** In a bucket without versions. https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html */
const WITHOUT_VERSIONS = 'null';

interface Version {
  name: string;
  versionId: string;
  bytes: number;
  lastModified: Date;
  isDeleteMarker: boolean;
}

/** What `listObjectsQuery` gives for versions. The type of minio-js is incomplete. */
type ListedVersion = Omit<Version, 'bytes'> & { size?: number };

/** All versions of the objects below a prefix, in pages of 1,000, by name. Delete markers come last in each page. */
export async function* versions(s3: S3Client, bucket: string, prefix = PREFIX): AsyncGenerator<Version> {
  const next: { keyMarker?: string; versionIdMarker?: string } = {};
  for (;;) {
    const page = await s3.listObjectsQuery(bucket, prefix, '', {
      Delimiter: '',
      MaxKeys: 1_000,
      IncludeVersion: true,
      ...next,
    });
    for (const { size = 0, versionId, name, lastModified, isDeleteMarker } of page.objects as ListedVersion[])
      yield { name, versionId: String(versionId), bytes: size, lastModified, isDeleteMarker };
    if (page.isTruncated !== true || page.keyMarker === undefined) return;
    // minio-js passes the marker on half encoded and signs it as if it were not. Its own listing fails at the second
    // page of names with a slash.
    next.keyMarker = encodeURIComponent(decodeURIComponent(page.keyMarker));
    if (page.versionIdMarker !== undefined) next.versionIdMarker = page.versionIdMarker;
  }
}

/** For the prefix of one recording, which has few versions. */
export async function versionsBelow(s3: S3Client, bucket: string, prefix: string): Promise<Version[]> {
  const found: Version[] = [];
  for await (const version of versions(s3, bucket, prefix)) found.push(version);
  return found;
}

/** The uploads of one object that are neither completed nor aborted. */
export async function uploadsOf(
  s3: S3Client,
  bucket: string,
  name: string,
): Promise<{ uploadId: string; initiated: Date }[]> {
  // There is never more than one page (1,000): each attempt to store a recording has its own key.
  const { uploads } = await s3.listIncompleteUploadsQuery(bucket, name, '', '', '');
  return uploads.filter(({ key }) => key === name);
}

/** @returns the bytes of an upload and the time of its newest part; null when it has ended */
export async function progressOf(
  s3: S3Client,
  bucket: string,
  name: string,
  { uploadId, initiated }: { uploadId: string; initiated: Date },
): Promise<{ bytes: number; at: Date } | null> {
  try {
    const parts = await s3.partsOf(bucket, name, uploadId);
    const times = parts.map(({ lastModified }) => lastModified?.getTime() ?? 0);
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    return { bytes, at: new Date(Math.max(initiated.getTime(), ...times)) };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
