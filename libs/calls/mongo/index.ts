export {
  CALL_COLLECTIONS,
  copyCalls,
  copyCollections,
  copyRemovedAccounts,
  documentsIn,
  documentsInSqlite,
  idsIn,
  refuseUnlessEmpty,
  restoreCalls,
  restoreCollections,
} from './copy.ts';
export { inspectDatabase } from './database.ts';
export { callStoreSettings, connectCalls, openMongoCallStore } from './store.ts';
