import { WorkError } from '@call-analytics/service-kit';

// Primary result codes, https://www.sqlite.org/rescode.html
const FULL = 13;
/** PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CANTOPEN: each may pass without anyone changing the program or the data. */
const PASSING = new Set([3, 5, 6, 7, 8, 10, 14]);

/** @returns the error as WorkError `transient` when it may pass; otherwise the error itself, e.g. a damaged database */
export function asStoreError(error: unknown): unknown {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  const primary = typeof errcode === 'number' ? errcode & 0xff : null;
  if (primary === FULL) {
    return new WorkError(
      { kind: 'transient', code: 'store_full', message: 'There is no room left to store calls.' },
      { cause: error },
    );
  }
  const closed = code === 'ERR_INVALID_STATE';
  if (closed || (primary !== null && PASSING.has(primary))) {
    return new WorkError(
      { kind: 'transient', code: 'store_unavailable', message: 'The call store does not answer.' },
      { cause: error },
    );
  }
  return error;
}
