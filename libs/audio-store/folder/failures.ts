import { WorkError } from '@call-analytics/service-kit';
import { storeFull, storeUnavailable } from '../failures.ts';

/** An error of the file system as one that the store's users know. What is one already passes unchanged. */
export function storeFailure(error: unknown): WorkError {
  if (error instanceof WorkError) return error;
  return hasCode(error, 'ENOSPC', 'EDQUOT') ? storeFull(error) : storeUnavailable(error);
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(codeOf(error));
}

/** @returns e.g. `ENOENT`, or nothing for an error without a code */
export function codeOf(error: unknown): string {
  return isObject(error) && 'code' in error ? String(error.code) : '';
}

/** Whether the operating system said no: an abort or a mistake in the arguments has no system call. */
export function isFromSystem(error: unknown): boolean {
  return isObject(error) && 'syscall' in error;
}

function isObject(error: unknown): error is object {
  return typeof error === 'object' && error !== null;
}
