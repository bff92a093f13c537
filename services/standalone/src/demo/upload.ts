import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallDetail, Problem, UploadAccepted } from '@call-analytics/contracts';
import { SettingsError } from '@call-analytics/service-kit';

/** @returns the id of the new call. @throws SettingsError with the service's own words when it does not take the file */
export async function uploadCall(url: string, key: string, file: string): Promise<string> {
  const form = new FormData();
  form.set('reportType', 'detailed');
  form.set('file', await openAsBlob(file), basename(file));
  const began = performance.now();
  const accepted = await answerOf<UploadAccepted>(
    await fetch(`${url}/api/v1/calls`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form }),
  );
  console.log(`Uploaded ${basename(file)} in ${Math.round(performance.now() - began)} ms: call ${accepted.id}`);
  return accepted.id;
}

/** Polls until the call is completed or failed, and prints each state as it passes. */
export async function followCall(url: string, key: string, id: string): Promise<CallDetail> {
  const began = performance.now();
  let shown = '';
  for (;;) {
    const call = await answerOf<CallDetail>(await fetch(`${url}/api/v1/calls/${id}`, { headers: { authorization: `Bearer ${key}` } }));
    if (call.status !== shown) {
      console.log(`  ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${call.status}`);
      shown = call.status;
    }
    if (call.status === 'completed' || call.status === 'failed') return call;
    // Short, because this client is there to show every state; a real one polls every few seconds.
    await delay(25);
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T;
  if (response.ok) return body;
  throw new SettingsError((body as Problem).detail);
}
