import { canRetry, type Send, Speed, type Upload, type UploadOptions, type UploadState } from './send.ts';

/** An Idempotency-Key. `crypto.randomUUID` is missing where the page comes without TLS from another machine. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** More uploads at a time would share the same bandwidth. */
const AT_A_TIME = 2;
/** Backoff of automatic retries. After the last one, the user must retry. */
const PAUSES_MS = [2_000, 5_000, 10_000, 30_000, 60_000, 60_000];

/**
 * The upload queue, which belongs to no page, so that it works while pages change. A file leaves it only as a call, or
 * when the user removes it.
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

  /** Whether closing the page would lose an upload. */
  unfinished(): boolean {
    return this.#uploads.some(
      ({ state }) => state.kind !== 'accepted' && (state.kind !== 'failed' || canRetry(state.refusal)),
    );
  }

  /** Adds files for the account that is signed in. @param maxBytes the upload limit; null if it is unknown */
  add(files: readonly File[], options: UploadOptions, maxBytes: number | null): void {
    const accountId = this.#accountId;
    if (accountId === null) return;
    const added = files.map(
      (file): Upload => ({ ...options, id: newIdempotencyKey(), file, accountId, state: first(file, maxBytes) }),
    );
    this.#set([...this.#uploads, ...added]);
    this.#work();
  }

  /** Aborts an upload and removes it. */
  remove(id: string): void {
    this.#set(this.#uploads.filter((upload) => upload.id !== id));
    this.#forget(id);
    this.#work();
  }

  /** Removes uploads that became calls or were refused for good. */
  clearFinished(): void {
    const finished = this.#uploads.filter(
      ({ state }) => state.kind === 'accepted' || (state.kind === 'failed' && !canRetry(state.refusal)),
    );
    for (const { id } of finished) this.#forget(id);
    this.#set(this.#uploads.filter((upload) => !finished.includes(upload)));
  }

  /** Retries a failed upload now. */
  retry(id: string): void {
    const upload = this.#uploads.find((known) => known.id === id);
    if (upload?.state.kind !== 'failed' && upload?.state.kind !== 'pausing') return;
    this.#forget(id);
    this.#change(id, { kind: 'waiting' });
    this.#work();
  }

  /** Retries all uploads in backoff, because the network is back. */
  retryPausing(): void {
    for (const { id, state } of this.#uploads) if (state.kind === 'pausing') this.retry(id);
  }

  /**
   * Sets the account that is signed in: without one, files wait; with another one, the files of the previous account
   * are removed.
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
    if (!canRetry(refusal) || pause === undefined) {
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

/** Refuses what needs no request. */
function first(file: File, maxBytes: number | null): UploadState {
  if (file.size === 0) return { kind: 'failed', refusal: { why: 'empty' } };
  if (maxBytes !== null && file.size > maxBytes) return { kind: 'failed', refusal: { why: 'too-large', maxBytes } };
  return { kind: 'waiting' };
}
