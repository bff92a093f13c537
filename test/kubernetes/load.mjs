// Runs in a pod of its own, so that it reaches the gateway as any client in the cluster does. Uploads a recording again
// and again until stdin ends, polls each call until it is finished, and prints a report. Arguments: the API key, how
// many calls are open at a time, and the recording.
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const [key, open, file] = process.argv.slice(2);
const api = 'http://api-gateway.call-analytics:8080/api/v1';
const FINISH_WITHIN_MS = 240_000;
const blob = await openAsBlob(file);
const report = { accepted: 0, completed: 0, failed: [], unfinished: [], statuses: {}, cutConnections: 0, total: 0 };

/** Asks again when the connection ends or the gateway refuses for a while. The statuses show what happened. */
async function ask(path, init = () => ({})) {
  for (const until = Date.now() + FINISH_WITHIN_MS; ; await delay(250)) {
    try {
      const { headers, ...rest } = init();
      const response = await fetch(`${api}${path}`, {
        ...rest,
        headers: { authorization: `Bearer ${key}`, ...headers },
      });
      report.statuses[response.status] = (report.statuses[response.status] ?? 0) + 1;
      const body = await response.json();
      if (response.ok) return body;
      if (response.status < 500 && response.status !== 429) throw new Error(`${response.status} ${body.detail}`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      report.cutConnections += 1;
    }
    if (Date.now() > until) throw new Error(`no answer to ${path}`);
  }
}

async function oneCall() {
  const idempotencyKey = randomUUID();
  const { id } = await ask('/calls', () => {
    const body = new FormData();
    body.set('file', blob, 'call.mp3');
    return { method: 'POST', body, headers: { 'idempotency-key': idempotencyKey } };
  });
  report.accepted += 1;
  process.stdout.write(`accepted ${id}\n`);
  for (const until = Date.now() + FINISH_WITHIN_MS; Date.now() < until; await delay(500)) {
    const { status, errorMessage } = await ask(`/calls/${id}`);
    if (status === 'completed') {
      report.completed += 1;
      return;
    }
    if (status === 'failed') {
      report.failed.push(`${id} ${errorMessage}`);
      return;
    }
  }
  report.unfinished.push(id);
}

let stopped = false;
process.stdin.on('end', () => {
  stopped = true;
});
process.stdin.resume();
const before = (await ask('/calls?limit=1')).total;
await Promise.all(
  Array.from({ length: Number(open) }, async () => {
    while (!stopped) await oneCall();
  }),
);
report.total = (await ask('/calls?limit=1')).total - before;
process.stdout.write(`report ${JSON.stringify(report)}\n`);
