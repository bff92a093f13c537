import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Servers } from '@call-analytics/test/servers/index.ts';

type S3 = Awaited<ReturnType<Servers['bucket']>>['s3'];

/** A part of an upload, in bytes: what the adapter holds before it sends. */
export const PART = 5 * 2 ** 20;
export const MB = 1_000_000;

/** Each block is different: parts that change places are seen. */
export function recording(bytes: number): Buffer {
  const block = randomBytes(65_536);
  const whole = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += block.length) {
    block.writeUInt32BE(at);
    block.copy(whole, at);
  }
  return whole;
}

/** A source that gives its bytes and then waits for what happens to it. */
export function unfinished(bytes: Buffer): { source: PassThrough; taken: Promise<void> } {
  const source = new PassThrough();
  const taken = (async () => {
    for (let at = 0; at < bytes.length; at += 65_536) {
      if (!source.write(bytes.subarray(at, at + 65_536))) await new Promise((resolve) => source.once('drain', resolve));
    }
  })();
  return { source, taken };
}

/** @returns a stream's pieces of 64 KiB, as a socket gives them */
export function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Everything in the bucket, also what lists hide: objects in all versions, delete markers, and unfinished uploads. */
export async function everythingIn(s3: S3, bucket: string): Promise<string[]> {
  const { objects } = await s3.listObjectsQuery(bucket, '', '', {
    Delimiter: '',
    MaxKeys: 1_000,
    IncludeVersion: true,
  });
  const { uploads } = await s3.listIncompleteUploadsQuery(bucket, '', '', '', '');
  return [...objects.map(({ name }) => String(name)), ...uploads.map(({ key }) => `${key} (incomplete)`)];
}
