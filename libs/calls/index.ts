export * from './calls.ts';
export { guardedCallStore } from './guarded.ts';
export * from './record.ts';
export * from './settings.ts';
export { openSqliteCallStore } from './sqlite/store.ts';
export * from './stage-worker.ts';
export * from './store.ts';
export { DEFAULT_POLICY, type Policy } from './transitions.ts';
export { untilWritten } from './until-written.ts';
