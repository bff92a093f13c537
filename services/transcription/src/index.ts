export { chooseSpeechEngine, NoSpeechEngine } from './engines/choose.ts';
export type { EngineAnswer, SpeechEngine } from './engines/engine.ts';
export { guardedEngine } from './engines/guarded.ts';
export {
  type FetchOptions,
  fetchWhisperModel,
  findWhisperModel,
  WHISPER_MODELS,
  type WhisperModel,
  whisperModelOffer,
} from './engines/whisper/index.ts';
export { type TranscriptionSettings, transcriptionSettings } from './settings.ts';
export { createTranscription, type TranscriptionOptions } from './transcription.ts';
