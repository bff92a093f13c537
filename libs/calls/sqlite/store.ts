import type { CallStore } from '../store.ts';

/** @param file the database; made when it is not there */
export function openSqliteCallStore(_options: { file: string }): CallStore {
  throw new Error('being written');
}
