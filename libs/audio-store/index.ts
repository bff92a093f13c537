export { folderAudioStore } from './folder/store.ts';
export { guardedAudioStore } from './guarded.ts';
export * from './port.ts';
