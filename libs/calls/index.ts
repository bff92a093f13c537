export * from './calls.ts';
export { waitingWords } from './outages.ts';
export * from './queues.ts';
export * from './record.ts';
export * from './settings.ts';
export { type CopiedCalls, copiedCalls, copyDatabase } from './sqlite/copy.ts';
export { openSqliteCallStore } from './sqlite/store.ts';
export * from './store.ts';
export { isRetryable } from './transitions.ts';
