import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analysisSettings, chooseAnalyst, createAnalysis } from '@call-analytics/analysis';
import { folderAudioStore } from '@call-analytics/audio-store';
import { type Call, type CallStore, Calls, openSqliteCallStore, type Transcript } from '@call-analytics/calls';
import { cleanupSettings, createCleanup } from '@call-analytics/cleanup';
import { parseMessage, queuesFor, type Stage } from '@call-analytics/contracts';
import { inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import { makeLogger, makeMetrics, type Part, readSettings, startParts } from '@call-analytics/service-kit';
import { startStandIn } from '@call-analytics/stand-in';
import { FILES } from '@call-analytics/stand-in/recordings';
import { chooseSpeechEngine, createTranscription, transcriptionSettings } from '@call-analytics/transcription';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import { goldenSamples } from './golden.fixture.ts';

const transcript: Transcript = {
  language: 'en',
  utterances: [{ speaker: 0, startMs: 0, endMs: 1_000, text: 'Thank you for calling.' }],
  speakersBy: 'nothing',
  engine: { name: 'none', model: 'none' },
  audio: { seconds: 1, channels: 1, coveredSeconds: 1, speechSeconds: [1], dropped: [] },
};

// During a rollout the present handlers get what the release before has sent.
describe('each message that was ever published', () => {
  let dir: string;
  let standIn: Awaited<ReturnType<typeof startStandIn>>;
  let store: CallStore;
  let calls: Calls;
  let messaging: Messaging;
  let audioStore: ReturnType<typeof folderAudioStore>;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'golden-'));
    standIn = await startStandIn({ speech: 'known-text' });
    const log = makeLogger('test', 'silent');
    const metrics = makeMetrics();
    store = openSqliteCallStore({ file: join(dir, 'calls.sqlite') });
    calls = new Calls(store, { policy: { failedAudioRetentionMs: 0 } });
    messaging = inProcessMessaging({ log, metrics });
    audioStore = folderAudioStore({ dir: join(dir, 'audio') });
    const env = {
      WORK_DIR: join(dir, 'work'),
      OPENAI_BASE_URL: standIn.url,
      OPENAI_API_KEY: standIn.key,
      ANALYSIS_ENGINE: 'rules',
    };
    const about = { calls, store, messaging, audioStore, log, metrics };
    const [hearing, reading] = [readSettings(transcriptionSettings, env), readSettings(analysisSettings, env)];
    const parts: Part[] = [
      createTranscription({ ...about, settings: hearing, engine: await chooseSpeechEngine(hearing) }),
      createAnalysis({ ...about, settings: reading, analysts: [chooseAnalyst(reading)] }),
      // No sweep runs in the time of a test: what is deleted is deleted because of the message.
      createCleanup({ ...about, settings: readSettings(cleanupSettings, { DUE_AUDIO_SWEEP_INTERVAL: '1h' }) }),
    ];
    stop = (await startParts(parts, log)).stop;
  });

  afterAll(async () => {
    await stop();
    await messaging.close();
    await store.close();
    await standIn.close();
    await rm(dir, { recursive: true });
  });

  const uploaded = async () => {
    const key = randomUUID();
    const { bytes } = await audioStore.put(key, createReadStream(join(FILES, 'excerpt.mp3')));
    const audio = { key, bytes, format: 'mp3', seconds: 30 } as const;
    return (await calls.accept({ accountId: 'account_1', fileName: 'a.mp3', reportType: 'medium', audio })).call;
  };
  const claimed = async (id: string, stage: Stage) => {
    const claim = await calls.claim(id, stage, 'the test');
    if ('refused' in claim) throw new Error(claim.refused);
    return claim.lease;
  };
  const transcribed = async () => {
    const call = await uploaded();
    await calls.commitTranscript(await claimed(call.id, 'transcription'), transcript);
    return call;
  };
  const failed = async () => {
    const call = await uploaded();
    await calls.failAttempt(await claimed(call.id, 'transcription'), {
      kind: 'rejected',
      code: 'audio_unreadable',
      message: 'Not audio.',
    });
    return call;
  };

  /** For each queue's message: a call that is ready for it, and what shows that it was handled. */
  const scenes: Record<string, { call: () => Promise<Call>; handled: (call: Call) => boolean }> = {
    'transcription.requested': { call: uploaded, handled: ({ status }) => status === 'analyzing' },
    'analysis.requested': { call: transcribed, handled: ({ status }) => status === 'completed' },
    'call.completed': { call: failed, handled: ({ audio }) => audio.deletedAt !== null },
    'call.failed': { call: failed, handled: ({ audio }) => audio.deletedAt !== null },
  };

  for (const { type, version, body } of goldenSamples().filter((sample) => queuesFor(sample.type).length > 0)) {
    it(`is handled by the present release: ${type} v${version}`, async () => {
      const scene = scenes[type];
      if (scene === undefined) throw new Error(`say here what shows that a ${type} was handled`);
      const call = await scene.call();
      const sample = JSON.parse(body);
      const about = {
        ...sample,
        subject: call.id,
        data: { ...sample.data, callId: call.id, accountId: call.accountId },
      };
      await messaging.publish(parseMessage(JSON.stringify(about)));
      await until(
        () => store.get(call.id),
        (now) => now !== null && scene.handled(now),
      );
      expect(await messaging.deadLetters(10)).toEqual([]);
    });
  }
});
