import type { Send, Sent, Upload } from './queue.ts';

/** Sends a file by XMLHttpRequest: `fetch` does not tell how much of a body has been sent. */
export const sendByXhr: Send = async (upload, onProgress, signal) => {
  if (!(await readable(upload.file))) return unreadable;
  if (signal.aborted) return { kind: 'cancelled' };
  const xhr = new XMLHttpRequest();
  const sent = await new Promise<Sent>((resolve) => {
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, upload.file.size)));
    xhr.upload.addEventListener('load', () => onProgress(upload.file.size));
    xhr.addEventListener('load', () => resolve(answerOf(xhr)));
    xhr.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
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
