import { isKey } from '../keys.ts';
import { isGone } from './failures.ts';
import type { S3 } from './s3.ts';

/**
 * All that there is of a recording is under one name, as if in a folder of its own, so that a store which reads folders finds it at once among a million. Behind a
 * prefix, so that the bucket may hold other things.
 */
const PREFIX = 'recordings/';
/** The recording. */
const AUDIO = 'audio';
/**
 * An empty object, there while a recording comes in parts. Who looks for uploads that died cannot rely on the store's own list: MinIO forgets it at a restart, and
 * each of several MinIO servers knows only its own. Asked for the uploads of one object it knows them all.
 */
const INCOMING = 'incoming';

/** What S3 calls the version of an object in a bucket that has none. https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html */
export const WITHOUT_VERSIONS = 'null';

export function audioOf(key: string): string {
  return `${folderOf(key)}${AUDIO}`;
}

export function incomingOf(key: string): string {
  return `${folderOf(key)}${INCOMING}`;
}

export function folderOf(key: string): string {
  return `${PREFIX}${key}/`;
}

export interface Version {
  name: string;
  versionId: string;
  bytes: number;
  lastModified: Date;
  isDeleteMarker: boolean;
}

/** Every version of every object below a prefix, also what is hidden behind a delete marker, in pages of 1,000. By name, delete markers last in each page. */
export async function* versions(s3: S3, bucket: string, prefix = PREFIX): AsyncGenerator<Version> {
  const next: { keyMarker?: string; versionIdMarker?: string } = {};
  for (;;) {
    const page = await s3.listObjectsQuery(bucket, prefix, '', {
      Delimiter: '',
      MaxKeys: 1_000,
      IncludeVersion: true,
      ...next,
    });
    yield* (page.objects as Listed[]).map(version);
    if (page.isTruncated !== true || page.keyMarker === undefined) return;
    // minio passes on what it was told, half encoded, and signs it as if it were not. Its own listing fails at the second page for names with a slash.
    next.keyMarker = encodeURIComponent(decodeURIComponent(page.keyMarker));
    if (page.versionIdMarker !== undefined) next.versionIdMarker = page.versionIdMarker;
  }
}

/** For the prefix of one recording, of which there are few. */
export async function versionsBelow(s3: S3, bucket: string, prefix: string): Promise<Version[]> {
  const found: Version[] = [];
  for await (const version of versions(s3, bucket, prefix)) found.push(version);
  return found;
}

/** What `listObjectsQuery` gives for versions; its type says less. */
interface Listed {
  name: string;
  size?: number;
  lastModified: Date;
  versionId: string;
  isDeleteMarker: boolean;
}

function version({ name, size = 0, lastModified, versionId, isDeleteMarker }: Listed): Version {
  return { name, versionId: String(versionId), bytes: size, lastModified, isDeleteMarker };
}

/** @returns the key and what it is of, or null for what the store did not make */
export function readName(name: string): { key: string; what: 'audio' | 'incoming' } | null {
  const [, key = '', what] = /^recordings\/([^/]+)\/(audio|incoming)$/.exec(name) ?? [];
  return isKey(key) && (what === AUDIO || what === INCOMING) ? { key, what } : null;
}

/** The uploads of one object that are neither completed nor aborted. */
export async function uploadsOf(
  s3: S3,
  bucket: string,
  name: string,
): Promise<{ uploadId: string; initiated: Date }[]> {
  // More than a page (1,000) cannot be: each try to store a recording has a key of its own.
  const { uploads } = await s3.listIncompleteUploadsQuery(bucket, name, '', '', '');
  return uploads.filter(({ key }) => key === name);
}

/** @returns what has come of an upload, and when its newest part came; null when it has ended meanwhile */
export async function progressOf(
  s3: S3,
  bucket: string,
  name: string,
  { uploadId, initiated }: { uploadId: string; initiated: Date },
): Promise<{ bytes: number; at: Date } | null> {
  try {
    const parts = await s3.partsOf(bucket, name, uploadId);
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    return {
      bytes,
      at: new Date(Math.max(initiated.getTime(), ...parts.map(({ lastModified }) => lastModified?.getTime() ?? 0))),
    };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
