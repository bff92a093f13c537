export { type AudioStoreSettings, audioStoreSettings, connectAudioStore, s3Options } from './connect.ts';
export { type MinioAudioStoreOptions, minioAudioStore } from './store.ts';
