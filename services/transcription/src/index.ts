export { chooseSpeechEngine } from './engines/choose.ts';
export type { SpeechEngine } from './engines/engine.ts';
export { fetchWhisperModel } from './engines/whisper/fetch.ts';
export { findWhisperModel, whisperModelOffer } from './engines/whisper/models.ts';
export { type TranscriptionSettings, transcriptionSettings } from './settings.ts';
export { createTranscription, type TranscriptionOptions } from './transcription.ts';
