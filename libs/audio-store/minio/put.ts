import type { Readable } from 'node:stream';
import type { Logger } from '@call-analytics/service-kit';
import { checkedKey } from '../keys.ts';
import type { StoredAudio } from '../port.ts';
import type { Bucket } from './bucket.ts';
import type { PartMemory } from './part-memory.ts';
import { Upload } from './upload.ts';

export interface PutParts {
  bucket: Bucket;
  memory: PartMemory;
  /** How often the store hears of an upload that brings less than a part in that time. Milliseconds. */
  showProgressEveryMs: number;
  log: Logger | undefined;
}

/** Stores a recording. The first thing that goes wrong, at the source, in the store or by the signal, ends all the rest and is what is thrown. */
export async function put(
  { bucket, memory, showProgressEveryMs, log }: PutParts,
  key: string,
  source: Readable,
  signal: AbortSignal | undefined,
): Promise<StoredAudio> {
  // A source may fail while nobody reads from it, and without a listener that would end the process. Whoever reads sees the error again.
  source.on('error', ignore);
  const ended = new AbortController();
  const fail = (error: unknown) => {
    if (ended.signal.aborted) return;
    ended.abort(error);
    source.destroy();
  };
  const abort = () => fail(signal?.reason);
  try {
    checkedKey(key);
    signal?.throwIfAborted();
  } catch (error) {
    source.destroy();
    throw error;
  }
  signal?.addEventListener('abort', abort, { once: true });
  const upload = new Upload(bucket, memory, key, { signal: ended.signal, fail, showProgressEveryMs });
  try {
    for await (const chunk of source) await upload.write(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk));
    return await upload.finish(log);
  } catch (error) {
    fail(error);
    await upload.undo(log);
    throw ended.signal.reason;
  } finally {
    signal?.removeEventListener('abort', abort);
    upload.close();
  }
}

function ignore(): void {}
