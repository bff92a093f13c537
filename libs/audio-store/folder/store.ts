import { opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@call-analytics/service-kit';
import { isKey } from '../keys.ts';
import type { AudioStore, StoredAudio } from '../port.ts';
import { codeOf, hasCode, isFromSystem, storeFailure } from './failures.ts';
import { fetchWhole } from './fetch.ts';
import { Folders, syncFolder } from './folders.ts';
import { put } from './put.ts';

/**
 * Recordings as files of a folder. Safe for several processes on one file system.
 * @param dir made when it is not there; everything in it is the store's
 */
export function folderAudioStore({ dir, log }: { dir: string; log?: Logger }): AudioStore {
  const folders = new Folders(dir);
  return {
    put: (key, source, signal) => put(folders, key, source, signal, log),

    fetch: (key, toFile, signal) => asStore(async () => fetchWhole(folders.whole(key), toFile, signal)),

    stat: (key) => asStore(async () => statOrNull(folders.whole(key), key)),

    delete: (key) =>
      asStore(async () => {
        const paths = [folders.whole(key), folders.partial(key)];
        const removed = await Promise.all(paths.map(remove));
        if (!removed.includes(true)) return;
        await Promise.all([folders.recordings, folders.incoming].map(syncFolder));
        for (const path of paths)
          if ((await statOrNull(path, key)) !== null) throw storeFailure(new Error('deleted, and there again'));
      }),

    async *list() {
      try {
        await folders.make();
        yield* listed(folders.incoming, true);
        yield* listed(folders.recordings, false);
      } catch (error) {
        throw storeFailure(error);
      }
    },

    ready: () =>
      folders.check().then(
        () => null,
        (error: unknown) => `the folder of recordings cannot be used: ${codeOf(error)}`,
      ),
  };
}

/** Runs what may fail as the file system fails, and lets aborts and the caller's own mistakes through. */
async function asStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isFromSystem(error) && !hasCode(error, 'EEXIST') ? storeFailure(error) : error;
  }
}

/** @returns whether there was something to remove */
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

async function* listed(folder: string, incomplete: boolean): AsyncGenerator<StoredAudio & { incomplete: boolean }> {
  for await (const { name } of await opendir(folder)) {
    if (!isKey(name)) continue;
    const found = await statOrNull(join(folder, name), name);
    if (found !== null) yield { ...found, incomplete };
  }
}
