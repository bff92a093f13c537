import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MODELS_ADDRESS, WHISPER_MODELS } from './models.ts';

/** A person waits for the answer. */
const OFFER_TIMEOUT_MS = 3_000;

/**
 * Looks for a model that was fetched before. Only a file whose hash was right ever gets the name, so here its size is enough.
 * @returns its file, or null when it is not there or its name is unknown
 */
export async function findWhisperModel(dir: string, name: string, models = WHISPER_MODELS): Promise<string | null> {
  const model = models.find((candidate) => candidate.name === name);
  if (model === undefined) return null;
  const file = join(dir, model.file);
  const found = await stat(file).catch(() => null);
  return found?.isFile() === true && found.size === model.bytes ? file : null;
}

/**
 * Whether a model could be fetched now: asked before a person is.
 * @param address where the models are, without the file's name
 * @returns its size in bytes; null when the name is unknown, or its host does not answer within 3 seconds or does not have it
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
