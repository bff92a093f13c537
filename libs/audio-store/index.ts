export { folderAudioStore } from './folder/store.ts';
export * from './port.ts';
