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

/** Polls until the call is completed or failed, and prints each state. */
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
    // To show every state. A real client polls every few seconds.
    await delay(25);
  }
}

/** The next state to print: a poll may miss states. */
function nextOnTheWay(from: CallStatus, to: CallStatus): CallStatus {
  return TRANSITIONS[from].find((next) => next !== 'failed' && to !== 'failed') ?? to;
}

async function answerOf<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T;
  if (response.ok) return body;
  throw new SettingsError((body as Problem).detail);
}

export function printReport(call: CallDetail): void {
  if (call.status === 'failed') {
    console.log(`\nThe call failed: ${call.errorMessage}`);
    return;
  }
  console.log(`\n${heading(call.fileName)}`);
  const score = call.score === null ? 'Not scored' : `Score ${call.score} of 100   sale: ${call.saleStatus}`;
  console.log(`${score}   product: ${call.product || '–'}   language: ${call.language}\n`);
  console.log(wrap(call.summary));
  for (const section of call.detailedReport) {
    console.log(`\n${heading(section.title)}`);
    if (section.content !== '') console.log(wrap(section.content));
    for (const point of section.points) console.log(wrap(point, '  • ', '    '));
  }
  console.log(`\n${heading('Transcript')}`);
  for (const line of call.transcript.split('\n')) console.log(wrap(line, '', '    '));
}

/** @param link signs in and opens the report; null without the pages */
export function printNextSteps(url: string, key: string, id: string, link: string | null): void {
  console.log(`
${heading('What to do next')}
${link === null ? '' : `Open this report in your browser. The link signs you in once, within 10 minutes:\n\n  ${link}\n\n`}\
The service runs at ${url}. Documentation: ${url}/docs. API key of this demo: ${key}

  curl -s ${url}/api/v1/me -H 'Authorization: Bearer ${key}'
  curl -s ${url}/api/v1/calls/${id} -H 'Authorization: Bearer ${key}'
  curl -s ${url}/api/v1/calls -H 'Authorization: Bearer ${key}' -F file=@my-call.mp3 -F reportType=detailed

Press Ctrl+C to stop.`);
}

const heading = (text: string) => `── ${text} ${'─'.repeat(Math.max(0, 76 - text.length))}`;

function wrap(text: string, first = '', rest = first, width = 100): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = rest;
    }
    line += line === first || line === rest ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}
