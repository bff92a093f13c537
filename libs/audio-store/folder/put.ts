import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@call-analytics/service-kit';
import { audioExists } from '../failures.ts';
import type { StoredAudio } from '../port.ts';
import { hasCode, storeFailure } from './failures.ts';
import { type Folders, syncFolder } from './folders.ts';

const FILE_MODE = 0o600;
/**
 * What may wait in memory for the disk. With the default of 16 KiB each chunk of a socket is a write of its own; with a mebibyte, what came while the disk was busy goes
 * in one, which is about a third faster.
 */
const BUFFER_BYTES = 2 ** 20;

/** Stores a recording: written under another name, synced, and only then renamed to what readers look for. */
export async function put(
  folders: Folders,
  key: string,
  source: Readable,
  signal: AbortSignal | undefined,
  log: Logger | undefined,
): Promise<StoredAudio> {
  // A source may fail while the file is being opened, and without a listener that would end the process. The pipeline sees the error again.
  source.on('error', ignore);
  try {
    const [partial, whole] = [folders.partial(key), folders.whole(key)];
    signal?.throwIfAborted();
    const file = await openNew(folders, partial);
    try {
      await write(file, source, signal);
      if (await exists(whole)) throw audioExists();
      await rename(partial, whole);
    } catch (error) {
      await unlink(partial).catch(
        (err) => hasCode(err, 'ENOENT') || log?.warn({ err, key }, 'an incomplete recording stays for the sweep'),
      );
      throw error instanceof SourceError ? error.cause : storeFailure(error);
    }
    return await settled(folders, key, whole);
  } catch (error) {
    source.destroy();
    throw error;
  }
}

async function openNew(folders: Folders, partial: string): Promise<FileHandle> {
  try {
    await folders.make();
    return await open(partial, 'wx', FILE_MODE);
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? audioExists() : storeFailure(error);
  }
}

/** Not the disk's fault: the source broke or the caller aborted. */
class SourceError extends Error {}

/** Closes the file in any case. @throws SourceError or an error of the file system */
async function write(file: FileHandle, source: Readable, signal: AbortSignal | undefined): Promise<void> {
  const sink = file.createWriteStream({ highWaterMark: BUFFER_BYTES, flush: true });
  // The pipeline gives the first error to both streams. It is the disk's when the source was well by then: still open, or read to its end.
  let diskError: unknown = null;
  sink.once('error', (error) => {
    const sourceWell = source.errored === null && (source.readableEnded || !source.destroyed);
    if (sourceWell && signal?.aborted !== true) diskError = error;
  });
  try {
    await pipeline(source, sink, signal === undefined ? {} : { signal });
  } catch (error) {
    if (diskError !== null) throw diskError;
    throw new SourceError('the source broke', { cause: signal?.aborted === true ? signal.reason : error });
  }
}

/** It is visible; now it must stay. When that cannot be promised it goes again. */
async function settled(folders: Folders, key: string, whole: string): Promise<StoredAudio> {
  try {
    await syncFolder(folders.recordings);
    const { size, mtimeMs } = await stat(whole);
    return { key, bytes: size, storedAt: new Date(mtimeMs) };
  } catch (error) {
    await unlink(whole).catch(ignore);
    throw storeFailure(error);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    },
  );
}

function ignore(): void {}
