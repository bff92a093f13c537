import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type AudioStore, folderAudioStore } from '@call-analytics/audio-store';
import {
  type Analysis,
  type Call,
  type CallStore,
  Calls,
  openSqliteCallStore,
  type Transcript,
} from '@call-analytics/calls';
import { forgetWords, lockWrites } from '@call-analytics/calls/sqlite/other-process.fixture.ts';
import { type Clock, type Logger, makeLogger, makeMetrics } from '@call-analytics/service-kit';
import type { CleanupParts } from './recordings.ts';

export const RETENTION_MS = 3_600_000;

/** Calls in a real database, their recordings in a real folder, and a clock that tests move. */
export interface Scene extends CleanupParts {
  store: CallStore;
  /** What was logged, parsed. */
  lines: Record<string, unknown>[];
  /** The folder of the audio store. */
  audioDir: string;
  /** Sets the clock forward or back. */
  step(ms: number): void;
  /** A call whose recording is stored and which waits for transcription. */
  queued(): Promise<Call>;
  transcribing(): Promise<Call>;
  completed(): Promise<Call>;
  failed(): Promise<Call>;
  /** The call as the database has it now. */
  now(call: Call): Promise<Call>;
  stored(key: string): Promise<boolean>;
  /** Types of the events that wait to be published. */
  events(): Promise<string[]>;
  metric(line: string): Promise<string | undefined>;
  /** Leaves the calls as an earlier release would have written them: none is indexed for search. */
  forgetWords(): void;
  /** Makes the deletion of a recording fail: a folder is in its place. @returns a function that ends it */
  holdRecording(call: Call): Promise<() => Promise<void>>;
  /** Makes writes of the call store fail. @returns a function that ends it */
  lockWrites(): () => void;
  close(): Promise<void>;
}

export async function openScene(): Promise<Scene> {
  const dir = await mkdtemp(join(tmpdir(), 'cleanup-'));
  const audioDir = join(dir, 'audio');
  const file = join(dir, 'calls.sqlite');
  const store = openSqliteCallStore({ file, busyTimeoutMs: 20 });
  const audioStore: AudioStore = folderAudioStore({ dir: audioDir });
  const lines: Record<string, unknown>[] = [];
  const log: Logger = makeLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) });
  const metrics = makeMetrics();
  let offset = 0;
  const clock: Clock = { now: () => new Date(Date.now() + offset) };
  const calls = new Calls(store, { clock, policy: { failedAudioRetentionMs: RETENTION_MS } });

  const queued = async () => {
    const key = randomUUID();
    const { bytes } = await audioStore.put(key, Readable.from([Buffer.from(`the recording ${key}`)]));
    const audio = { key, bytes, format: 'mp3', seconds: 60 } as const;
    return (await calls.accept({ accountId: 'account_1', fileName: 'call.mp3', reportType: 'medium', audio })).call;
  };
  const claimed = async (callId: string, stage: 'transcription' | 'analysis') => {
    const claim = await calls.claim(callId, stage, 'the test');
    if ('refused' in claim) throw new Error(claim.refused);
    return claim.lease;
  };
  const found = async (callId: string) => {
    const call = await store.get(callId);
    if (call === null) throw new Error('no such call');
    return call;
  };

  return {
    calls,
    store,
    audioStore,
    log,
    metrics,
    clock,
    lines,
    audioDir,
    step(ms) {
      offset += ms;
    },
    queued,
    async transcribing() {
      const { id } = await queued();
      await claimed(id, 'transcription');
      return found(id);
    },
    async completed() {
      const { id } = await queued();
      await calls.commitTranscript(await claimed(id, 'transcription'), TRANSCRIPT);
      await calls.commitAnalysis(await claimed(id, 'analysis'), ANALYSIS);
      return found(id);
    },
    async failed() {
      const { id } = await queued();
      await calls.failAttempt(await claimed(id, 'transcription'), {
        kind: 'rejected',
        code: 'audio_unreadable',
        message: 'Not audio.',
      });
      return found(id);
    },
    now: ({ id }) => found(id),
    stored: async (key) => (await audioStore.stat(key)) !== null,
    events: async () => (await store.outbox(1_000)).map(({ message }) => message.type),
    metric: async (line) => (await metrics.registry.metrics()).split('\n').find((text) => text.startsWith(line)),
    forgetWords: () => forgetWords(file),
    async holdRecording({ audio: { key } }) {
      const path = join(audioDir, 'recordings', key);
      await rename(path, `${path}.held`);
      await mkdir(path);
      return async () => {
        await rmdir(path);
        await rename(`${path}.held`, path);
      };
    },
    lockWrites: () => lockWrites(file),
    async close() {
      await store.close();
      await rm(dir, { recursive: true });
    },
  };
}

const TRANSCRIPT: Transcript = {
  language: 'en',
  utterances: [],
  speakersBy: 'nothing',
  engine: { name: 'test', model: 'test' },
  audio: { seconds: 60, channels: 1, coveredSeconds: 0, speechSeconds: [], dropped: [] },
};

const ANALYSIS: Analysis = {
  engine: { name: 'test', model: 'test' },
  language: 'en',
  lines: [],
  rolesBy: 'nothing',
  rolesConfidence: 0,
  product: null,
  customerIntent: null,
  nextStep: null,
  saleStatus: 'unclear',
  summary: '',
  positives: [],
  issues: [],
  objections: [],
  managerMistakes: [],
  recommendations: [],
  score: null,
  rubric: [],
  numbers: {},
  sections: [],
};
