import { join } from 'node:path';
import { openAccounts, openUsers, usersSettings } from '@call-analytics/accounts';
import { type Analyst, analysisSettings, createAnalysis } from '@call-analytics/analysis';
import { createGateway, gatewaySettings } from '@call-analytics/api-gateway';
import { folderAudioStore } from '@call-analytics/audio-store';
import { Calls, openSqliteCallStore } from '@call-analytics/calls';
import { cleanupSettings, createCleanup } from '@call-analytics/cleanup';
import { createDispatcher, dispatcherSettings } from '@call-analytics/dispatcher';
import { inProcessMessaging } from '@call-analytics/messaging';
import { makeLogger, makeMetrics, readSettings, startParts } from '@call-analytics/service-kit';
import { createTranscription, type SpeechEngine, transcriptionSettings } from '@call-analytics/transcription';
import { SAMPLE_ANALYSIS } from '../seed/sample.ts';

// The whole product as services/standalone composes it, with default settings; only the engines are the bench's.

/** @param answer called for each piece; what it waits is the engine's time */
export function engine(answer: () => Promise<void>): SpeechEngine {
  return {
    name: 'bench',
    model: 'none',
    limits: { maxSeconds: 480, timestamps: false, concurrency: 8 },
    async transcribe() {
      await answer();
      return { text: 'Yes, the price is higher than we expected.', language: 'en', dollars: 0 };
    },
    close: async () => {},
  };
}

export const analyst: Analyst = { name: 'bench', model: 'none', analyze: async () => SAMPLE_ANALYSIS };

/** @param options.deletes whether recordings are deleted after their call, as they are in production */
export async function startPipeline(dataDir: string, speech: SpeechEngine, { deletes = true } = {}) {
  const log = makeLogger('standalone', 'info');
  const metrics = makeMetrics({ processMetrics: true });
  const store = openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') });
  const calls = new Calls(store);
  const accounts = openAccounts({ file: join(dataDir, 'accounts.sqlite') });
  const users = openUsers({ file: join(dataDir, 'accounts.sqlite'), settings: readSettings(usersSettings, {}), log });
  const audioStore = folderAudioStore({ dir: join(dataDir, 'audio') });
  const messaging = inProcessMessaging({ log, metrics });
  const common = { calls, store, audioStore, messaging, metrics, log };
  const gateway = createGateway({
    ...common,
    accounts,
    users,
    settings: readSettings(gatewaySettings, { PORT: '0', HOST: '127.0.0.1' }),
  });
  await startParts(
    [
      ...(deletes ? [createCleanup({ ...common, settings: readSettings(cleanupSettings, {}) })] : []),
      createAnalysis({ ...common, analysts: [analyst], settings: readSettings(analysisSettings, {}) }),
      createTranscription({
        ...common,
        engine: speech,
        settings: readSettings(transcriptionSettings, { WORK_DIR: join(dataDir, 'work') }),
      }),
      createDispatcher({ ...common, settings: readSettings(dispatcherSettings, {}) }),
      gateway,
    ],
    log,
  );
  return { calls, store, audioStore, url: gateway.url() };
}
