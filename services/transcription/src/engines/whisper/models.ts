import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SettingsError } from '@call-analytics/service-kit';

export interface WhisperModel {
  name: string;
  /** The file name, on its host and on this machine. */
  file: string;
  bytes: number;
  /** Of the whole file, in hexadecimal. */
  sha256: string;
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

export const MODELS_ADDRESS =
  'https://huggingface.co/ggerganov/whisper.cpp/resolve/5359861c739e955e79d9a303bcbc70fb988958b1';

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

/**
 * Reads the header of a model file.
 * @throws SettingsError when it cannot be read or holds no whisper model
 */
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
