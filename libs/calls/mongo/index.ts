export { type CallStoreSettings, callStoreSettings, connectCalls } from './connect.ts';
export { type DatabaseFacts, inspectDatabase } from './inspect.ts';
export { openMongoCallStore } from './store.ts';
