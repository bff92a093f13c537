import { createReadStream } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { audioMissing } from '../failures.ts';
import { hasCode, storeFailure } from './failures.ts';

/** Another file system, one without hard links, or a file that has as many links as it can. link(2) */
const NO_LINK = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
/** How much is read and written at a time, in bytes. */
const COPY_BYTES = 2 ** 20;

/** Gives the recording a second name at `toFile`, which costs nothing however long it is; where that cannot be, copies it. */
export async function fetchWhole(whole: string, toFile: string, signal: AbortSignal | undefined): Promise<void> {
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
    const from = createReadStream(whole, { highWaterMark: COPY_BYTES });
    await pipeline(from, to.createWriteStream({ highWaterMark: COPY_BYTES }), signal === undefined ? {} : { signal });
  } catch (error) {
    await rm(toFile, { force: true });
    signal?.throwIfAborted();
    throw await fetchFailure(whole, error);
  }
}

/** ENOENT may mean the recording or the folder of `toFile`: only the recording's own absence is `audio_missing`. */
async function fetchFailure(whole: string, error: unknown): Promise<unknown> {
  if (hasCode(error, 'EEXIST')) return error;
  const missing = await stat(whole).then(
    () => false,
    (why) => hasCode(why, 'ENOENT'),
  );
  if (!missing) return storeFailure(error);
  return audioMissing();
}
