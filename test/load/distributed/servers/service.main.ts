import { analysisSettings, createAnalysis } from '@call-analytics/analysis';
import { connectAudioStore, minioAudioStore, s3Options } from '@call-analytics/audio-store/minio';
import { Calls } from '@call-analytics/calls';
import { connectCalls, openMongoCallStore } from '@call-analytics/calls/mongo';
import { cleanupSettings, createCleanup } from '@call-analytics/cleanup';
import { createDispatcher, dispatcherSettings } from '@call-analytics/dispatcher';
import { connectMessaging, rabbitmqMessaging } from '@call-analytics/messaging/rabbitmq';
import {
  type Logger,
  type Metrics,
  makeLogger,
  makeMetrics,
  type PointName,
  type Running,
  readSettings,
  startParts,
  watchPoints,
} from '@call-analytics/service-kit';
import { obey } from '../../harness/child.ts';
import { analyst } from '../../servers/pipeline.ts';
import { readsAndWritesAlone } from '../../servers/reads-and-writes.ts';
import type { Environment } from '../environment/installation.ts';
import { audioSettings, callsSettings, messagesSettings } from '../environment/settings.ts';

// One service of the pipeline in a process of its own, composed as its main.ts does on the real servers; only the
// engines are the bench's.

export interface Service {
  service: 'dispatcher' | 'transcription' | 'analysis' | 'cleanup';
  environment: Environment;
  /** What the speech engine takes for a call. */
  engineMs: number;
  /** Without circuit breakers and without a log. */
  bare?: boolean;
}

export type Order = { start: true } | { stop: true } | { untilDeleted: number } | { when: PointName; callId: string };

/**
 * Starts and stops when it is told to; tells when a call came to a point, and a cleanup when it has deleted so many
 * recordings. Answers with the time in ms since 1970, with fractions.
 */
await obey<Service, Order, number>(async ({ service, environment, engineMs, bare = false }) => {
  const log = makeLogger(service, bare ? 'silent' : 'info');
  const metrics = makeMetrics({ processMetrics: true });
  const about = { name: service, log, metrics };
  const common = { ...about, ...(await (bare ? bareAdapters : guardedAdapters)(environment, about)) };
  const parts = {
    dispatcher: () =>
      createDispatcher({ ...common, settings: readSettings(dispatcherSettings, {}), oneOfSeveral: true }),
    transcription: () => readsAndWritesAlone({ ...common, workDir: environment.WORK_DIR, engineMs }),
    analysis: () => createAnalysis({ ...common, analysts: [analyst], settings: readSettings(analysisSettings, {}) }),
    cleanup: () => createCleanup({ ...common, settings: readSettings(cleanupSettings, {}) }),
  };
  let running: Running | null = null;
  let deleted = 0;
  let noticed = () => {};
  const times = new Map<string, PromiseWithResolvers<number>>();
  const timeOf = (name: PointName, callId: string) => {
    const known = times.get(`${name} ${callId}`) ?? Promise.withResolvers<number>();
    times.set(`${name} ${callId}`, known);
    return known;
  };
  watchPoints((name, callId) => {
    timeOf(name, callId).resolve(now());
    if (name !== 'audio.deleted') return;
    deleted += 1;
    noticed();
  });
  return async (order) => {
    if ('start' in order) {
      const at = now();
      running = await startParts([parts[service]()], log);
      return at;
    }
    if ('stop' in order) {
      await running?.stop();
      return now();
    }
    if ('when' in order) return timeOf(order.when, order.callId).promise;
    while (deleted < order.untilDeleted) await new Promise<void>((resolve) => (noticed = resolve));
    return now();
  };
});

function now(): number {
  return performance.timeOrigin + performance.now();
}

interface About {
  name: string;
  log: Logger;
  metrics: Metrics;
}

/** As the services have them. */
async function guardedAdapters(environment: Environment, about: About) {
  return {
    ...(await connectCalls(callsSettings(environment), about)),
    messaging: await connectMessaging(messagesSettings(environment), about),
    audioStore: connectAudioStore(audioSettings(environment), about),
  };
}

async function bareAdapters(environment: Environment, about: About) {
  const store = openMongoCallStore({ url: environment.MONGODB_URL });
  return {
    calls: new Calls(store),
    store,
    messaging: await rabbitmqMessaging({ ...about, url: environment.RABBITMQ_URL }),
    audioStore: minioAudioStore(s3Options(audioSettings(environment))),
  };
}
