import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CallDetail,
  type CallStatus,
  type Problem,
  TRANSITIONS,
  type UploadAccepted,
} from '@call-analytics/contracts';
import { SettingsError } from '@call-analytics/service-kit';

/** @returns the id of the new call. @throws SettingsError with the reason when the service refuses the file */
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
  const show = (status: CallStatus) =>
    console.log(`  ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${status}`);
  let shown: CallStatus = 'queued';
  show(shown);
  for (;;) {
    const call = await answerOf<CallDetail>(
      await fetch(`${url}/api/v1/calls/${id}`, { headers: { authorization: `Bearer ${key}` } }),
    );
    while (shown !== call.status) {
      shown = nextOnTheWay(shown, call.status);
      show(shown);
    }
    if (call.status === 'completed' || call.status === 'failed') return call;
    // Short, to show every state; a real client polls every few seconds.
    await delay(25);
  }
}

/** A state may pass between two polls; then it is shown with the one behind it. */
function nextOnTheWay(from: CallStatus, to: CallStatus): CallStatus {
  return TRANSITIONS[from].find((next) => next !== 'failed' && to !== 'failed') ?? to;
}

async function answerOf<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T;
  if (response.ok) return body;
  throw new SettingsError((body as Problem).detail);
}
