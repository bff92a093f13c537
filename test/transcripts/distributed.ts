import { audioStoreSettings, connectAudioStore } from '@call-analytics/audio-store/minio';
import { callSettings } from '@call-analytics/calls';
import { callStoreSettings, connectCalls } from '@call-analytics/calls/mongo';
import { connectMessaging, messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { makeLogger, makeMetrics, readSettings } from '@call-analytics/service-kit';
import { chooseSpeechEngine, createTranscription, transcriptionSettings } from '@call-analytics/transcription';
import { z } from 'zod';
import { clusterOn, SERVICES } from '../e2e/cluster.fixture.ts';
import { told } from '../servers/addresses.ts';
import { Servers } from '../servers/servers.ts';
import { startServers } from '../servers/start.ts';
import stopServers from '../servers/stop.ts';
import type { Transcribing } from './run.ts';

const WITHIN_MS = 30 * 60_000;

const settingsOf = z.object({
  ...transcriptionSettings.shape,
  ...callSettings.shape,
  ...callStoreSettings.shape,
  ...audioStoreSettings.shape,
  ...messagingSettings.shape,
});

/**
 * RabbitMQ, MongoDB and MinIO in containers, and the services on them, each in a process of its own. The transcription
 * alone runs in this process, with the adapters of the servers: so it can be given an engine that knows the recording.
 */
export async function openDistributed(): Promise<{ transcribing: Transcribing; close(): Promise<void> }> {
  process.env.SERVERS = 'required';
  await using closing = new AsyncDisposableStack();
  closing.defer(stopServers);
  await startServers('memory');
  const known = told();
  if ('missing' in known) throw new Error(known.missing);
  const limits = { MAX_UPLOAD_BYTES: '4GiB', ANALYSIS_ENGINE: 'rules', OPENAI_API_KEY: 'unused' };
  const installation = await clusterOn(new Servers(known.addresses), limits);
  closing.defer(() => installation.remove());
  const { cluster, servers } = installation;
  await Promise.all(SERVICES.filter((name) => name !== 'transcription').map((name) => cluster.add(name)));
  const client = await cluster.client();
  const opened = closing.move();
  return {
    close: () => opened.disposeAsync(),
    async transcribing(file, given, dir, engineOf) {
      const log = makeLogger('transcription', 'warn');
      const about = { log, metrics: makeMetrics() };
      const settings = readSettings(settingsOf, { ...servers.settings, WORK_DIR: dir, ...given });
      const engine = engineOf(await chooseSpeechEngine(settings, about));
      const { calls, store } = await connectCalls(settings, about);
      const messaging = await connectMessaging(settings, { ...about, name: 'transcription' });
      const audioStore = connectAudioStore(settings, about);
      const service = createTranscription({ ...about, settings, calls, messaging, engine, audioStore });
      try {
        await service.start();
        const id = await client.uploaded(file, { name: 'recording' });
        const call = await client.finished(id, WITHIN_MS);
        const [transcript, analysis] = await Promise.all([store.transcript(id), store.analysis(id)]);
        if (transcript === null || analysis === null) throw new Error(call.errorMessage ?? call.status);
        return { transcript, analysis };
      } finally {
        await service.stop(AbortSignal.timeout(10_000));
        await messaging.close();
        await store.close();
      }
    },
  };
}
