import { constants, createReadStream } from 'node:fs';
import { access, type FileHandle, link, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@call-analytics/service-kit';
import {
  type AudioStore,
  audioExists,
  audioMissing,
  checkedKey,
  codeOf,
  fileFailure,
  hasCode,
  isKey,
  type StoredAudio,
} from '../audio-store.ts';

/** The error codes of another file system, one without hard links, or a file with the maximum of links. link(2) */
const NO_LINK = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
const COPY_BUFFER_BYTES = 2 ** 20;

/**
 * Recordings as files of a folder. Safe for several processes on one file system.
 * @param dir created if missing; everything in it belongs to the store
 */
export function folderAudioStore({ dir, log }: { dir: string; log?: Logger }): AudioStore {
  const folders = new Folders(dir);
  return {
    put: (key, source, signal) => put(folders, key, source, signal, log),

    fetch: (key, toFile, signal) => withStoreErrors(async () => fetchTo(toFile, folders.whole(key), signal)),

    stat: (key) => withStoreErrors(async () => statOrNull(folders.whole(key), key)),

    delete: (key) =>
      withStoreErrors(async () => {
        const paths = [folders.whole(key), folders.partial(key)];
        const removed = await Promise.all(paths.map(remove));
        if (!removed.includes(true)) return;
        await Promise.all([folders.recordings, folders.incoming].map(syncFolder));
        for (const path of paths)
          if ((await statOrNull(path, key)) !== null) throw fileFailure(new Error('deleted, and there again'));
      }),

    async *list() {
      try {
        await folders.make();
        yield* listFolder(folders.incoming, true);
        yield* listFolder(folders.recordings, false);
      } catch (error) {
        throw fileFailure(error);
      }
    },

    ready: () =>
      folders.check().then(
        () => null,
        (error: unknown) => `the folder of recordings cannot be used: ${codeOf(error)}`,
      ),
  };
}

/** Translates errors of the file system. Aborts and bugs of the caller have no system call and pass unchanged. */
async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fromSystem = typeof error === 'object' && error !== null && 'syscall' in error;
    throw fromSystem && !hasCode(error, 'EEXIST') ? fileFailure(error) : error;
  }
}

/** Links the recording to `toFile`, which is fast for any size. Copies it where that is impossible. */
async function fetchTo(toFile: string, whole: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  try {
    await link(whole, toFile);
  } catch (error) {
    if (hasCode(error, ...NO_LINK)) return copy(whole, toFile, signal);
    throw await fetchFailure(whole, error);
  }
}

async function copy(whole: string, toFile: string, signal: AbortSignal | undefined): Promise<void> {
  const to = await open(toFile, 'wx', 0o600);
  try {
    const from = createReadStream(whole, { highWaterMark: COPY_BUFFER_BYTES });
    const sink = to.createWriteStream({ highWaterMark: COPY_BUFFER_BYTES });
    await pipeline(from, sink, signal === undefined ? {} : { signal });
  } catch (error) {
    await rm(toFile, { force: true });
    signal?.throwIfAborted();
    throw await fetchFailure(whole, error);
  }
}

/** ENOENT may mean the recording or the folder of `toFile`. Only a missing recording is `audio_missing`. */
async function fetchFailure(whole: string, error: unknown): Promise<unknown> {
  if (hasCode(error, 'EEXIST')) return error;
  const missing = await stat(whole).then(
    () => false,
    (reason) => hasCode(reason, 'ENOENT'),
  );
  return missing ? audioMissing() : fileFailure(error);
}

/** @returns whether there was a file to remove */
async function remove(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function statOrNull(path: string, key: string): Promise<StoredAudio | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { key, bytes: size, storedAt: new Date(mtimeMs) };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function* listFolder(folder: string, incomplete: boolean): AsyncGenerator<StoredAudio & { incomplete: boolean }> {
  for await (const { name } of await opendir(folder)) {
    if (!isKey(name)) continue;
    const found = await statOrNull(join(folder, name), name);
    if (found !== null) yield { ...found, incomplete };
  }
}

/** Only the user that runs the service may read recordings. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Bytes that may wait for the disk. With the default of 16 KiB each chunk is one write, which is a third slower. */
const BUFFER_BYTES = 2 ** 20;

/**
 * Whole recordings are in one folder, incoming ones in another beside it, so that a rename makes them whole. There are
 * no subfolders: recordings stay for minutes, and file systems find a name among a million as fast as among ten.
 */
class Folders {
  readonly recordings: string;
  readonly incoming: string;
  #made: Promise<void> | null = null;

  constructor(dir: string) {
    this.recordings = resolve(dir, 'recordings');
    this.incoming = resolve(dir, 'incoming');
  }

  /** Creates missing folders, once. A failure is forgotten, so that the next call tries again. */
  async make(): Promise<void> {
    this.#made ??= this.#make().catch((error) => {
      this.#made = null;
      throw error;
    });
    return this.#made;
  }

  whole(key: string): string {
    return join(this.recordings, checkedKey(key));
  }

  /** The file of an incoming recording. It is created exclusively, so that a key has one writer. */
  partial(key: string): string {
    return join(this.incoming, checkedKey(key));
  }

  async check(): Promise<void> {
    await this.make();
    for (const folder of [this.recordings, this.incoming])
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  async #make(): Promise<void> {
    for (const folder of [this.recordings, this.incoming]) await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await syncFolder(dirname(this.recordings));
  }
}

/** A name in a folder survives a loss of power only when the folder itself is on disk. fsync(2) */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes the recording to an incoming file, syncs it, and renames it to the name that readers look for. */
export async function put(
  folders: Folders,
  key: string,
  source: Readable,
  signal: AbortSignal | undefined,
  log: Logger | undefined,
): Promise<StoredAudio> {
  // An error of the source while the file is being opened would end the process. The pipeline reports it again.
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
        (err) =>
          hasCode(err, 'ENOENT') ||
          log?.warn({ err, key }, 'could not delete an incomplete recording; the orphan sweep will'),
      );
      throw error instanceof SourceError ? error.cause : fileFailure(error);
    }
    return await makeDurable(folders, key, whole);
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
    throw hasCode(error, 'EEXIST') ? audioExists() : fileFailure(error);
  }
}

/** The source failed or the caller aborted; the disk is not at fault. */
class SourceError extends Error {}

/** Closes the file in any case. @throws SourceError or an error of the file system */
async function write(file: FileHandle, source: Readable, signal: AbortSignal | undefined): Promise<void> {
  const sink = file.createWriteStream({ highWaterMark: BUFFER_BYTES, flush: true });
  // The pipeline gives the first error to both streams. It is the disk's if the source was still open or at its end.
  let diskError: unknown = null;
  sink.once('error', (error) => {
    const sourceIntact = source.errored === null && (source.readableEnded || !source.destroyed);
    if (sourceIntact && signal?.aborted !== true) diskError = error;
  });
  try {
    await pipeline(source, sink, signal === undefined ? {} : { signal });
  } catch (error) {
    if (diskError !== null) throw diskError;
    throw new SourceError('the source failed', { cause: signal?.aborted === true ? signal.reason : error });
  }
}

/** Removes the visible recording again when it is not certain that it survives a loss of power. */
async function makeDurable(folders: Folders, key: string, whole: string): Promise<StoredAudio> {
  try {
    await syncFolder(folders.recordings);
    const { size, mtimeMs } = await stat(whole);
    return { key, bytes: size, storedAt: new Date(mtimeMs) };
  } catch (error) {
    await unlink(whole).catch(ignore);
    throw fileFailure(error);
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
