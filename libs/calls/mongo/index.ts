export { callStoreSettings, connectCalls } from './connect.ts';
export {
  CALL_COLLECTIONS,
  copyCalls,
  copyCollections,
  copyRemovedAccounts,
  documentsIn,
  idsIn,
  refuseUnlessEmpty,
  restoreCalls,
  restoreCollections,
} from './copy.ts';
export { documentsInSqlite } from './from-sqlite.ts';
export { inspectDatabase } from './inspect.ts';
export { openMongoCallStore } from './store.ts';
