export { chooseSpeechEngine, NoSpeechEngine } from './engines/choose.ts';
export type { EngineAnswer, SpeechEngine } from './engines/engine.ts';
export { type FetchOptions, fetchWhisperModel } from './engines/whisper/fetch.ts';
export { findWhisperModel, WHISPER_MODELS, type WhisperModel, whisperModelOffer } from './engines/whisper/models.ts';
export { type TranscriptionSettings, transcriptionSettings } from './settings.ts';
export { createTranscription, type TranscriptionOptions } from './transcription.ts';
