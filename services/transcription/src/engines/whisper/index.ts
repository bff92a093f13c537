export { type WhisperEngineOptions, whisperEngine } from './engine.ts';
export { type FetchOptions, fetchWhisperModel } from './fetch.ts';
export { findWhisperModel, whisperModelOffer } from './find.ts';
export { WHISPER_MODELS, type WhisperModel } from './models.ts';
