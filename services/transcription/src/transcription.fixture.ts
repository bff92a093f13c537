import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { folderAudioStore } from '@call-analytics/audio-store';
import {
  type Call,
  type CallStore,
  Calls,
  type NewCall,
  openSqliteCallStore,
  type Transcript,
} from '@call-analytics/calls';
import { makeMessage } from '@call-analytics/contracts';
import { inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import {
  type Clock,
  type Logger,
  type Metrics,
  makeLogger,
  makeMetrics,
  readSettings,
} from '@call-analytics/service-kit';
import { type StandIn, startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import {
  chooseSpeechEngine,
  createTranscription,
  type SpeechEngine,
  type TranscriptionOptions,
  type TranscriptionSettings,
  transcriptionSettings,
} from './index.ts';

/** Calls in a real database, recordings in a real folder, and a transcription service at work on them. */
export interface Scene {
  dir: string;
  store: CallStore;
  calls: Calls;
  metrics: Metrics;
  settings: TranscriptionSettings;
  lines: Record<string, unknown>[];
  /** Sets the clock forward. */
  step(ms: number): void;
  /** A call whose recording is this one of the stand-in (or a path), or its first bytes, waiting for its turn. */
  uploaded(file: string, options?: { bytes?: number } & Pick<NewCall, 'language' | 'vocabulary'>): Promise<Call>;
  /** Its turn: hands it to the service. @returns it when the service is done with it or has put it back */
  transcribed(call: Call): Promise<{ call: Call; transcript: Transcript | null }>;
  /** Hands it to the service and does not wait. */
  granted(call: Call): Promise<void>;
  now(call: Call): Promise<Call>;
  /** What lies in the folder for temporary files. */
  leftovers(): Promise<string[]>;
  stop(deadline?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param env settings
 * @param dir the same one in a second scene continues where the first one was
 * @param engineOf what takes the place of the engine of the settings
 */
export async function openScene(
  env: Record<string, string>,
  dir?: string,
  engineOf: (engine: SpeechEngine) => SpeechEngine = (engine) => engine,
): Promise<Scene> {
  const home = dir ?? (await mkdtemp(join(tmpdir(), 'transcription-')));
  const { options, store, lines, step } = await openParts(env, home);
  const { calls, messaging, audioStore, metrics, settings } = options;
  const part = createTranscription({ ...options, engine: engineOf(options.engine) });
  await part.start();

  const now = async ({ id }: Call) => {
    const call = await store.get(id);
    if (call === null) throw new Error('no such call');
    return call;
  };
  const granted = async ({ id, accountId }: Call) => {
    await calls.grant(id);
    await messaging.publish(
      makeMessage('transcription.requested', { callId: id, accountId }, randomUUID(), '/test', new Date()),
    );
  };
  return {
    dir: home,
    store,
    calls,
    metrics,
    settings,
    lines,
    step,
    now,
    granted,
    async uploaded(file, { bytes: most = Number.MAX_SAFE_INTEGER, ...named } = {}) {
      const key = randomUUID();
      const { bytes } = await audioStore.put(key, createReadStream(resolve(FILES, file), { end: most - 1 }));
      const audio = { key, bytes, format: 'mp3', seconds: 60 } as const;
      return (await calls.accept({ accountId: 'account_1', fileName: file, reportType: 'medium', audio, ...named }))
        .call;
    },
    async transcribed(call) {
      const { attempt } = await now(call);
      await granted(call);
      for (;;) {
        const after = await now(call);
        if (after.attempt > attempt && after.lease === null)
          return { call: after, transcript: await store.transcript(call.id) };
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    leftovers: () => readdir(settings.WORK_DIR).catch(() => []),
    stop: (deadline = AbortSignal.timeout(10_000)) => part.stop(deadline),
    async close() {
      await part.stop(AbortSignal.timeout(10_000));
      await messaging.close();
      await store.close();
      if (dir === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

interface Parts {
  store: CallStore;
  options: TranscriptionOptions & { messaging: Messaging };
  lines: Record<string, unknown>[];
  step(ms: number): void;
}

export async function openParts(env: Record<string, string>, home: string): Promise<Parts> {
  const lines: Record<string, unknown>[] = [];
  const log: Logger = makeLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) });
  const metrics = makeMetrics();
  let offset = 0;
  const clock: Clock = { now: () => new Date(Date.now() + offset) };
  const settings = readSettings(transcriptionSettings, { WORK_DIR: join(home, 'work'), ...env });
  const store = openSqliteCallStore({ file: join(home, 'calls.sqlite') });
  const calls = new Calls(store, { clock });
  return {
    store,
    options: {
      calls,
      audioStore: folderAudioStore({ dir: join(home, 'audio') }),
      messaging: inProcessMessaging({ log, metrics }),
      engine: await chooseSpeechEngine(settings, { clock, log }),
      log,
      metrics,
      clock,
      settings,
    },
    lines,
    step(ms) {
      offset += ms;
    },
  };
}

/** Five turns between long pauses, in 77 s. */
export const FIVE_PIECES = 'long-pauses.mp3';

/** A stand-in for the engine, and scenes whose workers ask it. */
export interface Scenes {
  standIn: StandIn;
  open(env?: Record<string, string>, dir?: string): Promise<Scene>;
  close(): Promise<void>;
}

export async function openScenes(): Promise<Scenes> {
  const standIn = await startStandIn({ speech: 'known-text' });
  const scenes: Scene[] = [];
  return {
    standIn,
    async open(env = {}, dir) {
      const scene = await openScene({ OPENAI_API_KEY: standIn.key, OPENAI_BASE_URL: standIn.url, ...env }, dir);
      scenes.push(scene);
      return scene;
    },
    async close() {
      for (const scene of scenes) await scene.close();
      await standIn.close();
    },
  };
}

/** @returns how often the same segment was paid for, for each segment */
export function paymentsOf({ requests }: StandIn): number[] {
  const paid = requests.filter(({ answered }) => answered === 200).map(({ hash }) => hash);
  return [...new Set(paid)].map((hash) => paid.filter((other) => other === hash).length);
}
