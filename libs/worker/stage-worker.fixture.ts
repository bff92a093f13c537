import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallStore, Calls, openSqliteCallStore, type Transcript } from '@call-analytics/calls';
import { makeMessage } from '@call-analytics/contracts';
import type { Outcome } from '@call-analytics/messaging';
import { type Failure, makeLogger, makeMetrics, WorkError } from '@call-analytics/service-kit';
import { afterEach, beforeEach } from '@jest/globals';
import { type StageWork, workOnStage } from './stage-worker.ts';

// A call before its transcription, in a store of its own for each test.

export const HOUR = 3_600_000;
export const transcript: Transcript = {
  language: 'en',
  utterances: [],
  speakersBy: 'nothing',
  engine: { name: 'none', model: 'none' },
  audio: { seconds: 1, channels: 1, coveredSeconds: 1, speechSeconds: [], dropped: [] },
};

let dir: string;
export let file: string;
export let store: CallStore;
export let calls: Calls;
export let callId: string;
/** The time of this machine, and what a test adds to it. */
export const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) };
export const lines: Record<string, unknown>[] = [];
export const log = makeLogger('test', 'debug', { write: (line) => lines.push(JSON.parse(line)) });
export const metrics = makeMetrics();
export const stop = () => new AbortController();

beforeEach(async () => {
  clock.offsetMs = 0;
  lines.length = 0;
  dir = await mkdtemp(join(tmpdir(), 'stage-worker-'));
  file = join(dir, 'calls.sqlite');
  store = openSqliteCallStore({ file, busyTimeoutMs: 1 });
  // Short, because some of these tests wait for its renewal.
  leaseFor(300);
  const audio = { key: 'a', bytes: 1, format: 'mp3', seconds: 1 } as const;
  callId = (await calls.accept({ accountId: 'account_1', fileName: 'a.mp3', reportType: 'medium', audio })).call.id;
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true });
});

/** Claims of the test get leases of `leaseMs`. */
export function leaseFor(leaseMs: number): void {
  calls = new Calls(store, { clock, policy: { leaseMs } });
}

type Engine = { answeredAt: Date | null };
export const run = (work: (work: StageWork) => Promise<void>, stopping = stop(), engine?: Engine): Promise<Outcome> => {
  const message = makeMessage(
    'transcription.requested',
    { callId, accountId: 'account_1' },
    'message_1',
    '/test',
    new Date(),
  );
  return workOnStage(
    { calls, log, metrics, stage: 'transcription', message, engine: () => engine, stop: stopping.signal },
    work,
  );
};
export const throwing = (failure: Failure, engine?: Engine) =>
  run(
    async () => {
      throw new WorkError(failure);
    },
    stop(),
    engine,
  );
export const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
export const read = () => store.get(callId);
