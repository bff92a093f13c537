// Uploads a recording, waits for its report and prints score and summary. No packages needed.
// Usage: node report.mts call.mp3 (Node 24 or later), with CALLS_URL and CALLS_KEY in the environment.
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Call {
  id: string;
  status: 'queued' | 'transcribing' | 'analyzing' | 'completed' | 'failed';
  score: number | null;
  summary: string;
  errorMessage?: string;
}

const { CALLS_URL, CALLS_KEY } = process.env;
const [, , recording = 'call.mp3'] = process.argv;

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers = { ...init.headers, Authorization: `Bearer ${CALLS_KEY}` };
  const response = await fetch(`${CALLS_URL}/api/v1${path}`, { ...init, headers });
  // Every error is application/problem+json: "detail" says what to do.
  if (!response.ok) throw new Error(`${response.status} ${((await response.json()) as { detail: string }).detail}`);
  return (await response.json()) as T;
}

const form = new FormData();
form.set('reportType', 'medium');
form.set('file', await openAsBlob(recording), basename(recording));
// Send the same key again if you repeat this upload: it makes one call, however often it is sent.
const { id } = await request<{ id: string }>('/calls', {
  method: 'POST',
  headers: { 'Idempotency-Key': randomUUID() },
  body: form,
});

let call = await request<Call>(`/calls/${id}`);
while (call.status !== 'completed' && call.status !== 'failed') {
  await sleep(5_000);
  call = await request<Call>(`/calls/${id}`);
}

if (call.status === 'failed') throw new Error(call.errorMessage);
console.log('Score:', call.score);
console.log(call.summary);
