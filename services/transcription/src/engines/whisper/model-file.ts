import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { SettingsError } from '@call-analytics/service-kit';

export interface ModelFile {
  path: string;
  bytes: number;
  /** A model of many languages finds out which is spoken; the others know English. */
  multilingual: boolean;
}

const MAGIC = 0x67676d6c;
/** The English models have one token less. As whisper.cpp tells them apart. https://github.com/ggml-org/whisper.cpp/blob/master/src/whisper.cpp */
const MULTILINGUAL_TOKENS = 51_865;
const ENGLISH_TOKENS = MULTILINGUAL_TOKENS - 1;

/**
 * Reads what kind of model a file holds.
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
