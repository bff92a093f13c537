// Uploads a recording again and again until stdin ends, polls each call until it is finished, reads an earlier one
// again, and prints a report. Runs in a pod of its own, so that it reaches the gateway as any client in the cluster.
import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** `open`: how many calls at a time; `probeMs`: the pause between two requests on new connections, 0 for none. */
const [key, open, file, probeMs] = process.argv.slice(2);
// Asked once: a slow DNS server is not the gateway's.
const { address } = await lookup('api-gateway.call-analytics');
const api = `http://${address}:8080/api/v1`;
const FINISH_WITHIN_MS = 480_000;
const blob = await openAsBlob(file);
const completed = [];
const report = {
  accepted: 0,
  completed: 0,
  failed: [],
  unfinished: [],
  changed: [],
  serverErrors: [],
  total: 0,
};

/** An open connection finds a pod that ends; a new one finds a pod that ended before its Service knew. */
const anyConnection = () => (Math.random() < 0.5 ? 'close' : 'keep-alive');

/** Asks again when the connection ends or the gateway refuses for a while. The report shows what happened. */
async function ask(path, init = () => ({}), connection = anyConnection()) {
  for (const until = Date.now() + FINISH_WITHIN_MS; ; await delay(250)) {
    try {
      const { headers, ...rest } = init();
      const response = await fetch(`${api}${path}`, {
        ...rest,
        headers: { authorization: `Bearer ${key}`, connection, ...headers },
      });
      const body = await response.json();
      if (response.status >= 500)
        report.serverErrors.push(`${new Date().toISOString()} ${path}: ${response.status} ${body.detail}`);
      if (response.ok) return body;
      if (response.status < 500 && response.status !== 429) throw new Error(`${response.status} ${body.detail}`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      process.stdout.write(`cut ${new Date().toISOString()} ${path}: ${error.cause?.message}\n`);
    }
    if (Date.now() > until) throw new Error(`no answer to ${path}`);
  }
}

/** A release may have done the work, and another one may answer. */
async function readAgain(call) {
  const now = await ask(`/calls/${call.id}`);
  for (const field of ['status', 'transcript', 'summary', 'score'])
    if (now[field] !== call[field]) report.changed.push(`${call.id} ${field}: ${call[field]} became ${now[field]}`);
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
    const call = await ask(`/calls/${id}`);
    if (call.status === 'completed') {
      report.completed += 1;
      process.stdout.write(`completed ${id}\n`);
      completed.push(call);
      await readAgain(completed[Math.floor(Math.random() * completed.length)]);
      return;
    }
    if (call.status === 'failed') {
      report.failed.push(`${id} ${call.errorMessage}`);
      return;
    }
  }
  report.unfinished.push(id);
}

/** Calls alone make too few connections to meet the moment in which a pod ends and its Service does not know. */
async function probe() {
  for (; !stopped; await delay(Number(probeMs))) await ask('/calls?limit=1', undefined, 'close');
}

let stopped = false;
process.stdin.on('end', () => {
  stopped = true;
});
process.stdin.resume();
const before = (await ask('/calls?limit=1')).total;
const probes = probeMs === '0' ? undefined : probe();
await Promise.all(
  Array.from({ length: Number(open) }, async () => {
    while (!stopped) await oneCall();
  }),
);
await probes;
for (const call of completed) await readAgain(call);
report.total = (await ask('/calls?limit=1')).total - before;
process.stdout.write(`report ${JSON.stringify(report)}\n`);
