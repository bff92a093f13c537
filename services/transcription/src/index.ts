export { chooseSpeechEngine } from './engines/choose-engine.ts';
export type { SpeechEngine } from './engines/engine.ts';
export { fetchWhisperModel, findWhisperModel, whisperModelOffer } from './engines/whisper/models.ts';
export { type TranscriptionSettings, transcriptionSettings } from './settings.ts';
export { createTranscription, type TranscriptionOptions } from './transcription.ts';
