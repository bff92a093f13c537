import { createReadStream } from 'node:fs';
import { link, open, opendir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@call-analytics/service-kit';
import {
  type AudioStore,
  audioMissing,
  codeOf,
  fileFailure,
  hasCode,
  isKey,
  type StoredAudio,
} from '../audio-store.ts';
import { Folders, put, syncFolder } from './files.ts';

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
