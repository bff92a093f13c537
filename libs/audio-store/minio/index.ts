export { connectAudioStore } from './connect.ts';
export { type AudioStoreSettings, audioStoreSettings, s3Options } from './settings.ts';
export { type MinioAudioStoreOptions, minioAudioStore } from './store.ts';
