export { type CallStoreSettings, callStoreSettings, connectCalls } from './connect.ts';
export { openMongoCallStore } from './store.ts';
