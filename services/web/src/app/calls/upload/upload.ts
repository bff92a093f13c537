import type { ReportType } from '@call-analytics/contracts';

/** A file on its way to becoming a call. */
export interface Upload {
  /** Also its Idempotency-Key: however often the file is sent, it becomes one call. */
  id: string;
  file: File;
  reportType: ReportType;
  /** Whoever signs in next may be somebody else: a file goes only to the account that it was meant for. */
  accountId: string;
  state: UploadState;
}

export type UploadState =
  /** For its turn, or until somebody has signed in again. */
  | { kind: 'waiting' }
  | { kind: 'sending'; sent: number; bytesPerSecond: number | null; secondsLeft: number | null }
  /** All is sent; the service looks at it. */
  | { kind: 'checking' }
  /** Goes on by itself at `at`, in ms since 1970. */
  | { kind: 'pausing'; at: number; refusal: Refusal }
  | { kind: 'failed'; refusal: Refusal }
  | { kind: 'accepted'; callId: string };

/** Why a file did not become a call. `answered` has the words of the service. */
export type Refusal =
  | { why: 'empty' | 'unreadable' | 'lost' }
  | { why: 'too-large'; maxBytes: number }
  | { why: 'answered'; status: number; detail: string };

/** Whether the same file may go through at another time. */
export function mayPass(refusal: Refusal): boolean {
  if (refusal.why === 'answered') return refusal.status >= 500 || refusal.status === 408 || refusal.status === 429;
  return refusal.why === 'lost';
}

/** What came of sending a file once. */
export type Sent =
  | { kind: 'accepted'; callId: string }
  | { kind: 'signed-out' }
  | { kind: 'refused'; refusal: Refusal; retryAfterMs: number | null }
  | { kind: 'cancelled' };

/**
 * Sends a file. Never rejects.
 * @param onProgress is told how many bytes have been sent, and of the end when the answer is being waited for
 */
export type Send = (upload: Upload, onProgress: (sent: number) => void, signal: AbortSignal) => Promise<Sent>;

/** An Idempotency-Key. `crypto.randomUUID` is missing where the page comes without TLS from another machine. */
export function newUploadId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
