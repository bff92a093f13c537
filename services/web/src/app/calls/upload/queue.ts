import type { ReportType } from '@call-analytics/contracts';
import { Speed } from './progress.ts';

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

/** More at a time would only share the same line. */
export const AT_A_TIME = 2;
/** How long to wait before sending again by itself; after the last, somebody must ask for it. */
const PAUSES_MS = [2_000, 5_000, 10_000, 30_000, 60_000, 60_000];

/**
 * The files that somebody dropped, on their way to becoming calls. It belongs to no page: pages come and go while it works. A file leaves it only as a call, or
 * because somebody takes it away.
 */
export class UploadQueue {
  #uploads: readonly Upload[] = [];
  #accountId: string | null = null;
  readonly #send: Send;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  readonly #pauses = new Map<string, { timer: ReturnType<typeof setTimeout> | null; tries: number }>();
  readonly #onSignedOut: () => void;

  /** @param onSignedOut is called when a session turns out to be over */
  constructor(send: Send, onSignedOut: () => void = () => {}) {
    this.#send = send;
    this.#onSignedOut = onSignedOut;
  }

  /** The uploads in the order they were added; the same array until something changes. */
  readonly uploads = (): readonly Upload[] => this.#uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether leaving the page would lose something. */
  unfinished(): boolean {
    return this.#uploads.some(
      ({ state }) => state.kind !== 'accepted' && (state.kind !== 'failed' || mayPass(state.refusal)),
    );
  }

  /** For the account that is signed in. @param maxBytes what the installation takes; null when it is not known */
  add(files: readonly File[], reportType: ReportType, maxBytes: number | null): void {
    const accountId = this.#accountId;
    if (accountId === null) return;
    const added = files.map(
      (file): Upload => ({ id: newUploadId(), file, reportType, accountId, state: first(file, maxBytes) }),
    );
    this.#set([...this.#uploads, ...added]);
    this.#work();
  }

  /** Stops it and takes it away. */
  remove(id: string): void {
    this.#set(this.#uploads.filter((upload) => upload.id !== id));
    this.#forget(id);
    this.#work();
  }

  /** Takes away what has become a call, and what was refused for good. */
  clearFinished(): void {
    const finished = this.#uploads.filter(
      ({ state }) => state.kind === 'accepted' || (state.kind === 'failed' && !mayPass(state.refusal)),
    );
    for (const { id } of finished) this.#forget(id);
    this.#set(this.#uploads.filter((upload) => !finished.includes(upload)));
  }

  /** Sends a file again that did not go through, now. */
  retry(id: string): void {
    const upload = this.#uploads.find((known) => known.id === id);
    if (upload?.state.kind !== 'failed' && upload?.state.kind !== 'pausing') return;
    this.#forget(id);
    this.#change(id, { kind: 'waiting' });
    this.#work();
  }

  /** The network is back: what waits for it need not wait on. */
  retryPausing(): void {
    for (const { id, state } of this.#uploads) if (state.kind === 'pausing') this.retry(id);
  }

  /**
   * Who is signed in now. Nobody: files wait. Another account: the files of the one before are none of its business and are gone.
   */
  signedIn(accountId: string | null): void {
    this.#accountId = accountId;
    if (accountId !== null) {
      for (const upload of this.#uploads) if (upload.accountId !== accountId) this.#forget(upload.id);
      const own = this.#uploads.filter((upload) => upload.accountId === accountId);
      if (own.length !== this.#uploads.length) this.#set(own);
    }
    this.#work();
  }

  #work(): void {
    for (const upload of this.#uploads) {
      if (this.#accountId === null || this.#running.size >= AT_A_TIME) return;
      if (upload.state.kind === 'waiting' && !this.#running.has(upload.id)) void this.#sendOnce(upload);
    }
  }

  async #sendOnce(upload: Upload): Promise<void> {
    const { id, file } = upload;
    const abort = new AbortController();
    this.#running.set(id, abort);
    const speed = new Speed();
    this.#change(id, { kind: 'sending', sent: 0, bytesPerSecond: null, secondsLeft: null });
    const onProgress = (sent: number) => {
      speed.add(Date.now(), sent);
      if (sent >= file.size) this.#change(id, { kind: 'checking' });
      else
        this.#change(id, {
          kind: 'sending',
          sent,
          bytesPerSecond: speed.bytesPerSecond(),
          secondsLeft: speed.secondsLeft(file.size),
        });
    };
    const sent = await this.#send(
      upload,
      (bytes) => (abort.signal.aborted ? undefined : onProgress(bytes)),
      abort.signal,
    );
    if (abort.signal.aborted) return;
    this.#running.delete(id);
    if (sent.kind === 'accepted') {
      this.#pauses.delete(id);
      this.#change(id, { kind: 'accepted', callId: sent.callId });
    } else if (sent.kind === 'signed-out') {
      this.#accountId = null;
      this.#change(id, { kind: 'waiting' });
      this.#onSignedOut();
    } else if (sent.kind === 'refused') this.#refused(id, sent.refusal, sent.retryAfterMs);
    this.#work();
  }

  #refused(
    id: string,
    refusal: Extract<UploadState, { kind: 'failed' }>['refusal'],
    retryAfterMs: number | null,
  ): void {
    const tries = this.#pauses.get(id)?.tries ?? 0;
    const pause = PAUSES_MS[tries];
    if (!mayPass(refusal) || pause === undefined) {
      this.#change(id, { kind: 'failed', refusal });
      return;
    }
    const ms = Math.max(pause, retryAfterMs ?? 0);
    const timer = setTimeout(() => {
      this.#change(id, { kind: 'waiting' });
      this.#work();
    }, ms);
    this.#pauses.set(id, { timer, tries: tries + 1 });
    this.#change(id, { kind: 'pausing', at: Date.now() + ms, refusal });
  }

  #forget(id: string): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
    clearTimeout(this.#pauses.get(id)?.timer ?? undefined);
    this.#pauses.delete(id);
  }

  #change(id: string, state: UploadState): void {
    this.#set(this.#uploads.map((upload) => (upload.id === id ? { ...upload, state } : upload)));
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}

/** What needs no sending to be refused. */
function first(file: File, maxBytes: number | null): UploadState {
  if (file.size === 0) return { kind: 'failed', refusal: { why: 'empty' } };
  if (maxBytes !== null && file.size > maxBytes) return { kind: 'failed', refusal: { why: 'too-large', maxBytes } };
  return { kind: 'waiting' };
}
