import { createInterface } from 'node:readline';
import { Calls } from '../calls.ts';
import { openSqliteCallStore } from './store.ts';

// Waits for the word, then tries to claim every queued call, in the order in which every other such process tries, and
// tells which it got.

const [file = ''] = process.argv.slice(2);
const store = openSqliteCallStore({ file, busyTimeoutMs: 10_000 });
const calls = new Calls(store);
const { calls: queued } = await store.list('account_1', { limit: 1_000, offset: 0 });
process.stdout.write('ready\n');
const input = createInterface({ input: process.stdin });
await new Promise((go) => input.once('line', go));
for (const { id } of queued) {
  const claimed = await calls.claim(id, 'transcription', `${process.pid}`);
  process.stdout.write('lease' in claimed ? `got ${id} ${claimed.lease.attempt}\n` : `lost ${id}\n`);
}
await store.close();
input.close();
