import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SettingsError } from '@call-analytics/service-kit';
import { download, WrongBytesError } from './download.ts';
import { fetchFailure, isUseless, noRoomFor } from './fetch-failures.ts';
import { findWhisperModel } from './find.ts';
import { MODELS_ADDRESS, WHISPER_MODELS, type WhisperModel } from './models.ts';

export interface FetchOptions {
  /** Made when it is not there. */
  dir: string;
  model: string;
  onProgress?: (progress: { bytes: number; totalBytes: number }) => void;
  signal?: AbortSignal;
  /** Where the models are, without the file's name. */
  baseUrl?: string;
  /** The longest time without a byte, in milliseconds; 30 s by default. */
  stallMs?: number;
  models?: readonly WhisperModel[];
}

/**
 * Fetches a model once. What was fetched before a cut is kept beside it and continued, by this call while that helps and by the next. The model gets its name only when all of
 * it is on disk and its hash is right.
 * @returns its file
 * @throws SettingsError for an unknown model
 * @throws WorkError `model_host_unreachable`, `model_not_found`, `model_damaged`, `disk_full`, `models_dir_unusable`; the reason of `signal` when that aborts
 */
export async function fetchWhisperModel(options: FetchOptions): Promise<string> {
  const { dir, models = WHISPER_MODELS, signal = new AbortController().signal } = options;
  const model = models.find(({ name }) => name === options.model);
  if (model === undefined) throw unknownModel(options.model, models);
  const there = await findWhisperModel(dir, model.name, models);
  if (there !== null) return there;
  const file = join(dir, model.file);
  const part = `${file}.part`;
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await fetchPart(model, part, options, signal);
    if ((await sha256(part, signal)) !== model.sha256) throw new WrongBytesError('the hash is another');
    await persist(part);
    await rename(part, file);
    return file;
  } catch (error) {
    signal.throwIfAborted();
    const failure = fetchFailure(error, model);
    if (isUseless(error)) await rm(part, { force: true }).catch(() => {});
    throw failure;
  }
}

/** Continues after each cut, as long as that brings more than there ever was. */
async function fetchPart(model: WhisperModel, part: string, options: FetchOptions, signal: AbortSignal): Promise<void> {
  const { baseUrl = MODELS_ADDRESS, stallMs = 30_000, onProgress = () => {} } = options;
  for (let most = await sizeOf(part); most !== model.bytes; ) {
    const { bavail, bsize } = await statfs(options.dir);
    if (bavail * bsize < model.bytes - most) throw noRoomFor(model);
    try {
      await download({ url: `${baseUrl}/${model.file}`, file: part, bytes: model.bytes, stallMs, signal, onProgress });
      return;
    } catch (error) {
      const size = await sizeOf(part);
      if (signal.aborted || fetchFailure(error, model).failure.code !== 'model_host_unreachable' || size <= most)
        throw error;
      most = size;
    }
  }
}

async function sha256(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex');
}

async function persist(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

function unknownModel(name: string, models: readonly WhisperModel[]): SettingsError {
  const names = models.map((known) => known.name).join(', ');
  return new SettingsError(`There is no whisper model "${name}". There are: ${names}.`);
}
