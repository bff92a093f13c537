import type { Readable } from 'node:stream';
import { OUR_FAULT, WorkError } from '@call-analytics/service-kit';

export interface StoredAudio {
  key: string;
  bytes: number;
  storedAt: Date;
}

/**
 * Keeps recordings until their calls are done, under opaque keys without the caller's file name. Every method throws
 * WorkError `transient` for temporary failures: `audio_store_unavailable` (unreachable) or `audio_store_full` (no
 * space).
 */
export interface AudioStore {
  /**
   * Streams a recording in without holding it in memory; it becomes visible when it is whole and safe on disk. When the
   * source fails, the signal aborts or storing fails, nothing of it stays and the error is thrown.
   * @param key a fresh key; an existing one is never overwritten (it is an error)
   */
  put(key: string, source: Readable, signal?: AbortSignal): Promise<StoredAudio>;

  /**
   * Copies a recording into a local file that must not exist yet. The caller owns the file and must not write to it,
   * because it may share its bytes with the store.
   * @throws WorkError `rejected` with code `audio_missing` when there is no such recording
   */
  fetch(key: string, toFile: string, signal?: AbortSignal): Promise<void>;

  /** @returns null when the store says that it has no such recording */
  stat(key: string): Promise<StoredAudio | null>;

  /**
   * Deletes a recording with all its versions and parts, and returns only when the store says that it is gone. Deleting
   * a missing recording succeeds.
   * @throws WorkError `audio_store_deletion_denied` when this user of the store may not delete
   */
  delete(key: string): Promise<void>;

  /**
   * Everything in the store, also incomplete uploads, in pages that the adapter chooses; for the sweep for orphans.
   * `storedAt` of an incomplete upload is when its last bytes came, which tells a growing one from a dead one.
   */
  list(): AsyncIterable<StoredAudio & { incomplete: boolean }>;

  /** @returns null when it can store and read, otherwise why not */
  ready(): Promise<string | null>;
}

/** Nothing that could leave a folder, hide in it, or have a meaning in a URL. */
export function isKey(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(name);
}

/** @throws WorkError `bug` with code `audio_key_invalid` */
export function checkedKey(key: string): string {
  if (isKey(key)) return key;
  throw new WorkError({ kind: 'bug', code: 'audio_key_invalid', message: OUR_FAULT });
}

export const UNAVAILABLE = {
  code: 'audio_store_unavailable',
  message: 'Recordings cannot be stored or read at the moment. Try again later.',
};

/** @param cause for the operators' log; never shown to callers */
export function storeUnavailable(cause: unknown): WorkError {
  return new WorkError({ kind: 'transient', ...UNAVAILABLE }, { cause });
}

/** @param cause for the operators' log; never shown to callers */
export function storeFull(cause: unknown): WorkError {
  const message = 'There is no room for recordings at the moment. Try again later.';
  return new WorkError({ kind: 'transient', code: 'audio_store_full', message }, { cause });
}

export const DELETION_DENIED = 'audio_store_deletion_denied';

/** The store works, but its user may not delete. @param denied what the adapter threw */
export function deletionDenied(denied: WorkError): WorkError {
  return new WorkError({ ...denied.failure, code: DELETION_DENIED }, { cause: denied.cause });
}

export function audioMissing(): WorkError {
  const message = 'The recording is not there any more. Upload it again.';
  return new WorkError({ kind: 'rejected', code: 'audio_missing', message });
}

/** A key is used once. Storing under it again is a bug of the caller. */
export function audioExists(): WorkError {
  return new WorkError({ kind: 'bug', code: 'audio_exists', message: OUR_FAULT });
}

/** An error of the file system as a WorkError. A WorkError passes unchanged. */
export function fileFailure(error: unknown): WorkError {
  if (error instanceof WorkError) return error;
  return hasCode(error, 'ENOSPC', 'EDQUOT') ? storeFull(error) : storeUnavailable(error);
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(codeOf(error));
}

/** @returns e.g. `ENOENT`; empty for an error without a code */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
