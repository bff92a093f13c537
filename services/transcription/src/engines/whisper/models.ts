import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SettingsError, WorkError } from '@call-analytics/service-kit';

export interface WhisperModel {
  name: string;
  /** The file name, on its host and on this machine. */
  file: string;
  bytes: number;
  /** Of the whole file, in hexadecimal. */
  sha256: string;
  /** Where its host has it, without the file name; MODELS_ADDRESS when not set. */
  address?: string;
}

/**
 * The published models of whisper.cpp at a fixed revision. A model whose name ends in `.en` knows only English.
 * Size and SHA-256 are those of the files in that repository (its Git LFS object ids).
 * https://huggingface.co/ggerganov/whisper.cpp/tree/5359861c739e955e79d9a303bcbc70fb988958b1
 */
export const WHISPER_MODELS: readonly WhisperModel[] = [
  model('tiny', 77_691_713, 'be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21'),
  model('tiny.en', 77_704_715, '921e4cf8686fdd993dcd081a5da5b6c365bfde1162e72b08d75ac75289920b1f'),
  model('base', 147_951_465, '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe'),
  model('base.en', 147_964_211, 'a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002'),
  model('small', 487_601_967, '1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b'),
  model('small.en', 487_614_201, 'c6138d6d58ecc8322097e0f987c32f1be8bb0a18532a3f88f734d1bbf9c41e5d'),
  model('medium', 1_533_763_059, '6c14d5adee5f86394037b4e4e8b59f1673b6cee10e3cf0b11bbdbee79c156208'),
  model('medium.en', 1_533_774_781, 'cc37e93478338ec7700281a7ac30a10128929eb8f427dda2e865faa8f6da4356'),
  model('large-v3-turbo-q5_0', 574_041_195, '394221709cd5ad1f40c46e6031ca61bce88931e6e088c188294c6d5a55ffa7e2'),
  model('large-v3-turbo', 1_624_555_275, '1fc70f774d38eb169993ac391eea357ef47c88757ef72ee5943879b7e8e2bc69'),
];

const MODELS_ADDRESS = 'https://huggingface.co/ggerganov/whisper.cpp/resolve/5359861c739e955e79d9a303bcbc70fb988958b1';

function model(name: string, bytes: number, sha256: string): WhisperModel {
  return { name, file: `ggml-${name}.bin`, bytes, sha256 };
}

interface ModelFile {
  path: string;
  bytes: number;
  /** A multilingual model detects the language; the others know only English. */
  multilingual: boolean;
}

const MAGIC = 0x67676d6c;
/**
 * English models have one token less, which is how whisper.cpp distinguishes them.
 * https://github.com/ggml-org/whisper.cpp/blob/master/src/whisper.cpp
 */
const MULTILINGUAL_TOKENS = 51_865;
const ENGLISH_TOKENS = MULTILINGUAL_TOKENS - 1;

/** Reads the header of a model file. @throws SettingsError when it cannot be read or holds no whisper model */
export async function readModelFile(path: string): Promise<ModelFile> {
  const head = Buffer.alloc(8);
  let bytes = 0;
  try {
    const file = await open(path);
    try {
      await file.read(head, 0, head.length, 0);
      bytes = (await file.stat()).size;
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new SettingsError(`The whisper model ${basename(path)} cannot be read.`, { cause });
  }
  const tokens = head.readInt32LE(4);
  if (head.readUInt32LE(0) !== MAGIC || tokens < ENGLISH_TOKENS) {
    throw new SettingsError(
      `${basename(path)} is not a whisper model. Delete it and fetch it again: npm run whisper -- fetch`,
    );
  }
  return { path, bytes, multilingual: tokens >= MULTILINGUAL_TOKENS };
}

/** A person waits for the response. */
const OFFER_TIMEOUT_MS = 3_000;

/**
 * Finds a downloaded model. Only a verified file has this name, so its size is enough here.
 * @returns its file, or null when it is not downloaded or its name is unknown
 */
export async function findWhisperModel(dir: string, name: string, models = WHISPER_MODELS): Promise<string | null> {
  const model = models.find((candidate) => candidate.name === name);
  if (model === undefined) return null;
  const file = join(dir, model.file);
  const found = await stat(file).catch(() => null);
  return found?.isFile() === true && found.size === model.bytes ? file : null;
}

/**
 * Checks whether a model can be downloaded now, before a person is asked.
 * @param address of the models, without the file name
 * @returns its size in bytes; null when the name is unknown, or when its host does not offer it within 3 seconds
 */
export async function whisperModelOffer(name: string, address = MODELS_ADDRESS): Promise<{ bytes: number } | null> {
  const model = WHISPER_MODELS.find((candidate) => candidate.name === name);
  if (model === undefined) return null;
  try {
    const answer = await fetch(`${address}/${model.file}`, {
      method: 'HEAD',
      signal: AbortSignal.timeout(OFFER_TIMEOUT_MS),
    });
    return answer.ok ? { bytes: model.bytes } : null;
  } catch {
    return null;
  }
}

export interface FetchOptions {
  /** Created if it does not exist. */
  dir: string;
  model: string;
  onProgress?: (progress: { bytes: number; totalBytes: number }) => void;
  signal?: AbortSignal;
  /** The address of the models, without the file name. */
  baseUrl?: string;
  /** The longest time without a byte, in ms; 30 s by default. */
  stallMs?: number;
  models?: readonly WhisperModel[];
}

/**
 * Downloads a model once; the file gets its name when it is complete on disk and its hash is correct. A broken download
 * is kept as a `.part` file and resumed, by this call while that makes progress and by the next.
 * @returns its file
 * @throws SettingsError for an unknown model
 * @throws WorkError `model_host_unreachable`, `model_not_found`, `model_damaged`, `disk_full`, `models_dir_unusable`;
 *   the reason of `signal` when that aborts
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
    if ((await sha256(part, signal)) !== model.sha256) throw new WrongBytesError('the hash does not match');
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

/** Resumes after each broken connection, as long as the file grows. */
async function fetchPart(model: WhisperModel, part: string, options: FetchOptions, signal: AbortSignal): Promise<void> {
  const { baseUrl = model.address ?? MODELS_ADDRESS, stallMs = 30_000, onProgress = () => {} } = options;
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

/** @returns the SHA-256 of a file, in hexadecimal */
export async function sha256(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, signal === undefined ? {} : { signal });
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
  return new SettingsError(`There is no model "${name}". There are: ${names}.`);
}

/** The host responded without the file. */
class AnswerError extends Error {
  override name = 'AnswerError';
  readonly status: number;
  constructor(status: number) {
    super(`the host responded with ${status}`);
    this.status = status;
  }
}

/** The bytes are not those that were requested: too many, or from another position in the file. */
class WrongBytesError extends Error {
  override name = 'WrongBytesError';
}

interface Download {
  url: string;
  /** Appended to when the host supports ranges, otherwise written from its beginning. */
  file: string;
  bytes: number;
  stallMs: number;
  signal: AbortSignal;
  onProgress(progress: { bytes: number; totalBytes: number }): void;
}

/**
 * Downloads the rest of a file. Connecting times out after 10 s (undici's default), waiting for a byte after `stallMs`.
 * @throws AnswerError, WrongBytesError, errors of fetch() and of the file system
 */
async function download({ url, file, bytes, stallMs, signal, onProgress }: Download): Promise<void> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error(`no data for ${stallMs} ms`)), stallMs);
  let out: FileHandle | null = null;
  try {
    const kept = await keptBytes(file, bytes);
    const answer = await fetch(url, {
      headers: kept > 0 ? { range: `bytes=${kept}-` } : {},
      signal: AbortSignal.any([signal, stalled.signal]),
    });
    if (answer.status === 416) throw new WrongBytesError('the file is shorter than the part of it on disk');
    if (!answer.ok || answer.body === null) throw new AnswerError(answer.status);
    const goesOn = answer.status === 206;
    if (goesOn && !answer.headers.get('content-range')?.startsWith(`bytes ${kept}-`)) {
      throw new WrongBytesError(`asked for bytes from ${kept}, got ${answer.headers.get('content-range')}`);
    }
    out = await open(file, goesOn ? 'a' : 'w');
    let at = goesOn ? kept : 0;
    for await (const chunk of answer.body) {
      timer.refresh();
      at += chunk.byteLength;
      if (at > bytes) throw new WrongBytesError('longer than the model');
      await out.appendFile(chunk);
      onProgress({ bytes: at, totalBytes: bytes });
    }
    if (at < bytes) throw new Error(`ended at ${at} of ${bytes} bytes`);
  } finally {
    clearTimeout(timer);
    // An answer that was not read to its end would keep its connection.
    stalled.abort();
    await out?.close();
  }
}

/** A part that is too long cannot be resumed. */
async function keptBytes(file: string, bytes: number): Promise<number> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  return size < bytes ? size : 0;
}

type Code = 'model_host_unreachable' | 'model_not_found' | 'model_damaged' | 'disk_full' | 'models_dir_unusable';

/** Classifies why a download failed, with a message for the person who started it. */
function fetchFailure(error: unknown, model: WhisperModel): WorkError {
  return error instanceof WorkError ? error : failure(codeOf(error), model, error);
}

function noRoomFor(model: WhisperModel): WorkError {
  return failure('disk_full', model, new Error('less free space than the rest of the file needs'));
}

/** Whether to delete the partial file: it is not the model, or it has filled the disk. */
function isUseless(error: unknown): boolean {
  return !(error instanceof WorkError) && ['model_damaged', 'disk_full'].includes(codeOf(error));
}

function failure(code: Code, model: WhisperModel, cause: unknown): WorkError {
  return new WorkError({ kind: 'transient', code, message: message(code, model) }, { cause });
}

function codeOf(error: unknown): Code {
  if (error instanceof WrongBytesError) return 'model_damaged';
  if (error instanceof AnswerError)
    return [401, 403, 404, 410].includes(error.status) ? 'model_not_found' : 'model_host_unreachable';
  const system =
    typeof error === 'object' && error !== null && 'code' in error && 'syscall' in error ? error.code : null;
  if (system === 'ENOSPC' || system === 'EDQUOT') return 'disk_full';
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG'].includes(String(system)))
    return 'models_dir_unusable';
  return 'model_host_unreachable';
}

function message(code: Code, { name, bytes }: WhisperModel): string {
  const size = `${Math.ceil(bytes / 1e6)} MB`;
  switch (code) {
    case 'model_host_unreachable':
      return (
        `The model "${name}" could not be downloaded: its host could not be reached, or the connection broke. ` +
        'Check the network and try again; the download resumes where it stopped.'
      );
    case 'model_not_found':
      return `The model "${name}" could not be downloaded: its host does not have it.`;
    case 'model_damaged':
      return `The model "${name}" is damaged: it is not the published file. It was deleted; try again.`;
    case 'disk_full':
      return `The disk is too full for the model "${name}" of ${size}. Free some space and try again.`;
    case 'models_dir_unusable':
      return (
        'The folder for models (WHISPER_MODELS_DIR) cannot be written to. ' +
        'Check that it is a folder and that this user may write in it.'
      );
  }
}
