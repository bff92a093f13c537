import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingsError } from '@call-analytics/service-kit';
import { sha256, type WhisperModel } from '../engines/whisper/models.ts';

/**
 * CAM++ of 3D-Speaker (Apache-2.0), a speaker embedding, as sherpa-onnx publishes it. Size and SHA-256 are as other
 * projects that fetch the file have recorded them.
 * https://github.com/k2-fsa/sherpa-onnx/releases/tag/speaker-recongition-models
 */
export const VOICE_MODEL: WhisperModel = {
  name: 'campplus',
  file: '3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx',
  bytes: 28_281_164,
  sha256: 'aa3cfc16963a10586a9393f5035d6d6b57e98d358b347f80c2a30bf4f00ceba2',
  address: 'https://github.com/k2-fsa/sherpa-onnx/releases/download/speaker-recongition-models',
};

interface VoiceModelFile {
  file: string;
  /**
   * `published`: it is CAM++ as published; `other`: VOICE_MODEL names it, and its hash is not known; `damaged`: it has
   * the name of the published file and is not it.
   */
  state: 'published' | 'other' | 'damaged' | 'absent';
}

/**
 * Looks for the file of the speaker embedding, and reads it whole.
 * @throws SettingsError when the file that VOICE_MODEL names is not there, or the file cannot be read
 */
export async function inspectVoiceModel(
  { VOICE_MODEL: named, WHISPER_MODELS_DIR: dir }: { VOICE_MODEL?: string | undefined; WHISPER_MODELS_DIR: string },
  published = VOICE_MODEL,
): Promise<VoiceModelFile> {
  const file = named ?? join(dir, published.file);
  const found = await stat(file).catch(() => null);
  if (found?.isFile() !== true) {
    if (named !== undefined) throw new SettingsError(`VOICE_MODEL: ${named} is not a file.`);
    return { file, state: 'absent' };
  }
  const hash = await sha256(file).catch((cause) => {
    throw new SettingsError(`The speaker embedding ${file} cannot be read.`, { cause });
  });
  if (hash === published.sha256) return { file, state: 'published' };
  return { file, state: named === undefined ? 'damaged' : 'other' };
}
