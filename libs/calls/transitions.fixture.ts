import type { Failure } from '@call-analytics/service-kit';
import type { Analysis } from './analysis.ts';
import type { Call } from './record.ts';
import { DEFAULT_POLICY } from './settings.ts';
import type { Transcript } from './transcript.ts';
import type * as transitions from './transitions.ts';

// Calls in their states, and the time at which something happens to them.

export const SECOND = 1_000;
export const HOUR = 3_600_000;
export const now = new Date(Date.UTC(2026, 10, 21, 9));
export const at = (ms: number) => new Date(now.getTime() + ms);
export const policy = { ...DEFAULT_POLICY, maxFailures: 3 };

export const queued: Call = {
  id: 'call_1',
  accountId: 'account_1',
  fileName: 'a.mp3',
  reportType: 'medium',
  status: 'queued',
  stage: 'transcription',
  version: 1,
  audio: { key: 'a', bytes: 1, format: 'mp3', seconds: 1, secondsDone: 0, deleteAfter: null, deletedAt: null },
  attempt: 0,
  failures: 0,
  lease: null,
  grantedUntil: null,
  nextAttemptAt: null,
  readySince: at(-10 * SECOND),
  waiting: null,
  retries: 0,
  lastFailure: null,
  failure: null,
  removal: null,
  language: null,
  product: null,
  saleStatus: null,
  score: null,
  analysisEngine: null,
  earlierAnalyses: [],
  corrections: [],
  traceparent: null,
  createdAt: at(-10 * SECOND),
  updatedAt: at(-10 * SECOND),
};
export const lease = { worker: 'w', since: at(-SECOND), until: at(30 * SECOND) };
export const transcribing: Call = { ...queued, status: 'transcribing', attempt: 4, lease };
export const analyzing: Call = { ...transcribing, status: 'analyzing', stage: 'analysis', language: 'de' };
export const completed: Call = { ...queued, status: 'completed', stage: null, attempt: 4 };
export const transcript = { language: 'de', audio: { seconds: 61 } } as Transcript;
export const analysis = { language: null, product: 'roof', saleStatus: 'sold', score: 80 } as Analysis;
export const transient: Failure = { kind: 'transient', code: 'engine_down', message: 'The engine did not answer.' };

export const write = (decision: transitions.Decision) =>
  'write' in decision ? decision.write : { refused: decision.refused };
export const internalWrite = (change: object) => ({ change, events: [], durable: false });
