import type { ReportType } from '@call-analytics/contracts';
import { LOCALE } from '../../texts/index.ts';

/** What is chosen for an upload. */
export interface UploadOptions {
  reportType: ReportType;
  /** ISO 639; empty to detect it. */
  language: string;
}

/** An upload of one file, which becomes a call. */
export interface Upload extends UploadOptions {
  /** Also the Idempotency-Key: a file that is sent several times becomes one call. */
  id: string;
  file: File;
  /** The account that the file belongs to. It is never sent to another account that signs in later. */
  accountId: string;
  state: UploadState;
}

export type UploadState =
  /** Waits for its turn, or for a sign-in. */
  | { kind: 'waiting' }
  | { kind: 'sending'; sent: number; bytesPerSecond: number | null; secondsLeft: number | null }
  /** All bytes are sent; the service checks the file. */
  | { kind: 'checking' }
  /** Retries at `at`, in ms since 1970. */
  | { kind: 'pausing'; at: number; refusal: Refusal }
  | { kind: 'failed'; refusal: Refusal }
  | { kind: 'accepted'; callId: string };

/** Why an upload was refused. `answered` carries the message of the service. */
export type Refusal =
  | { why: 'empty' | 'unreadable' | 'lost' }
  | { why: 'too-large'; maxBytes: number }
  | { why: 'answered'; status: number; detail: string };

/** Whether sending the same file again may succeed. */
export function canRetry(refusal: Refusal): boolean {
  if (refusal.why === 'answered') return refusal.status >= 500 || refusal.status === 408 || refusal.status === 429;
  return refusal.why === 'lost';
}

/** The result of one attempt to send a file. */
export type Sent =
  | { kind: 'accepted'; callId: string }
  | { kind: 'signed-out' }
  | { kind: 'refused'; refusal: Refusal; retryAfterMs: number | null }
  | { kind: 'canceled' };

/**
 * Sends a file. Never rejects.
 * @param onProgress called with the number of bytes sent, and when the response is awaited
 */
export type Send = (upload: Upload, onProgress: (sent: number) => void, signal: AbortSignal) => Promise<Sent>;

/** Sends a file by XMLHttpRequest: `fetch` does not tell how much of a body has been sent. */
export const sendByXhr: Send = async (upload, onProgress, signal) => {
  if (!(await readable(upload.file))) return unreadable;
  if (signal.aborted) return { kind: 'canceled' };
  const xhr = new XMLHttpRequest();
  const sent = await new Promise<Sent>((resolve) => {
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, upload.file.size)));
    xhr.upload.addEventListener('load', () => onProgress(upload.file.size));
    xhr.addEventListener('load', () => resolve(answerOf(xhr)));
    xhr.addEventListener('abort', () => resolve({ kind: 'canceled' }));
    for (const end of ['error', 'timeout'] as const) xhr.addEventListener(end, () => resolve(lost));
    xhr.open('POST', '/api/v1/calls');
    xhr.setRequestHeader('Accept', 'application/json');
    xhr.setRequestHeader('Idempotency-Key', upload.id);
    xhr.send(formOf(upload));
  });
  return sent === lost ? lookAgain(upload) : sent;
};

/**
 * A file that changed while it was sent looks like a broken connection. So may a response that came before all bytes
 * were sent.
 */
async function lookAgain({ file }: Upload): Promise<Sent> {
  if (!(await readable(file))) return unreadable;
  const response = await fetch('/api/v1/me', { cache: 'no-store' }).catch(() => null);
  return response?.status === 401 ? { kind: 'signed-out' } : lost;
}

const lost: Sent = { kind: 'refused', refusal: { why: 'lost' }, retryAfterMs: null };
const unreadable: Sent = { kind: 'refused', refusal: { why: 'unreadable' }, retryAfterMs: null };

function formOf({ file, reportType, language }: Upload): FormData {
  const form = new FormData();
  form.set('reportType', reportType);
  form.set('language', language);
  form.set('file', file, file.name);
  return form;
}

function answerOf(xhr: XMLHttpRequest): Sent {
  const body = json(xhr.responseText);
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : null);
  const callId = text('id');
  if (xhr.status === 202 && callId !== null) return { kind: 'accepted', callId };
  if (xhr.status === 401) return { kind: 'signed-out' };
  const retryAfter = Number(xhr.getResponseHeader('Retry-After') ?? Number.NaN);
  return {
    kind: 'refused',
    // A proxy responds with another body, or with none.
    refusal: { why: 'answered', status: xhr.status, detail: text('detail') ?? '' },
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1_000 : null,
  };
}

function json(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function readable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** Such as `12.4 MiB`: powers of 1024, the units of the settings and of the API. */
export function shownBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What rounds to 1,024 of a unit is 1 of the next.
  while (Math.round(value) >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  const maximumFractionDigits = unit > 0 && value < 100 ? 1 : 0;
  const number = new Intl.NumberFormat(LOCALE, { maximumFractionDigits }).format(value);
  return `${number} ${unit === 0 && Math.round(bytes) === 1 ? 'byte' : UNITS[unit]}`;
}

/** Such as `4 sec` or `2 min`. */
export function shownSeconds(seconds: number): string {
  const [value, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3_600 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour'];
  return new Intl.NumberFormat(LOCALE, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'hour' ? 1 : 0,
  }).format(Math.max(1, value));
}

/** The window of the average speed: long enough to be steady, short enough to follow changes. */
const WINDOW_MS = 5_000;
/** No speed is known before this: the first bytes only fill the buffers of the system. */
const SETTLED_MS = 1_000;

/** The speed of an upload in its latest seconds. */
export class Speed {
  #samples: { at: number; sent: number }[] = [];

  /** @param at in ms @param sent all bytes sent so far */
  add(at: number, sent: number): void {
    this.#samples.push({ at, sent });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= WINDOW_MS) this.#samples.shift();
  }

  /** @returns null until the speed is known */
  bytesPerSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < SETTLED_MS) return null;
    return ((last.sent - first.sent) * 1_000) / (last.at - first.at);
  }

  /** @returns null if it is unknown or nothing is being sent */
  secondsLeft(total: number): number | null {
    const speed = this.bytesPerSecond();
    const sent = this.#samples.at(-1)?.sent ?? 0;
    return speed === null || speed <= 0 ? null : Math.ceil((total - sent) / speed);
  }
}
