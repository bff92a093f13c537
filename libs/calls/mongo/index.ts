export { type CallStoreSettings, callStoreSettings, connectCalls } from './connect.ts';
export {
  CALL_COLLECTIONS,
  copyCalls,
  copyCollections,
  copyRemovedAccounts,
  idsIn,
  refuseUnlessEmpty,
  restoreCalls,
  restoreCollections,
} from './copy.ts';
export { type DatabaseFacts, inspectDatabase } from './inspect.ts';
export { openMongoCallStore } from './store.ts';
