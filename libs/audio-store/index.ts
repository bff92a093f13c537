export type { AudioStore, StoredAudio } from './audio-store.ts';
export { folderAudioStore } from './folder/store.ts';
