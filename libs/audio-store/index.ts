export { type AudioStore, DELETION_DENIED, type StoredAudio } from './audio-store.ts';
export { folderAudioStore } from './folder/store.ts';
