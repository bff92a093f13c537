export { connectCalls } from './connect.ts';
export { type CallStoreSettings, callStoreSettings } from './settings.ts';
export { openMongoCallStore } from './store.ts';
