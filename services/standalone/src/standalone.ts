import { join } from 'node:path';
import { type Accounts, openAccounts, openUsers, type Users, usersSettings } from '@call-analytics/accounts';
import { analysisSettings, analystsOf, createAnalysis } from '@call-analytics/analysis';
import { createGateway, gatewaySettings, pagesNotBuilt, requirePublicUrl } from '@call-analytics/api-gateway';
import { folderAudioStore } from '@call-analytics/audio-store';
import { Calls, callSettings, openSqliteCallStore, policyOf } from '@call-analytics/calls';
import { cleanupSettings, createCleanup } from '@call-analytics/cleanup';
import { createDispatcher, dispatcherSettings } from '@call-analytics/dispatcher';
import { inProcessMessaging, type Messaging } from '@call-analytics/messaging';
import {
  closes,
  degradedOf,
  type Logger,
  type Metrics,
  makeMetrics,
  type Part,
  privateDirectory,
  readSettings,
  serviceSettings,
  startParts,
  wholeNumber,
  whyNotReady,
} from '@call-analytics/service-kit';
import { chooseSpeechEngine, createTranscription, transcriptionSettings } from '@call-analytics/transcription';
import { PAGES_DIR, webPages } from '@call-analytics/web/server';
import { z } from 'zod';

/** How long the requests of the speech engine may take when the service stops: a person waits at the terminal. */
const GRACE_MS = 3_000;

interface Made {
  /** Started in this order and stopped in reverse, so that each part finds the parts it needs. */
  parts: Part[];
  /** Of the gateway, once it is started, e.g. `http://127.0.0.1:8080`. */
  url(): string;
  accounts: Accounts;
  users: Users;
}

/**
 * All services in one process, with the adapters that need no server.
 * @param replaced for tests: adapters to use instead
 * @throws SettingsError without a usable speech engine; it names the settings that provide one
 */
export async function makeStandalone(
  { settings, log, metrics }: { settings: StandaloneSettings; log: Logger; metrics: Metrics },
  replaced: { messaging?: Messaging } = {},
): Promise<Made> {
  const speech = await chooseSpeechEngine(settings, { log });
  const analysts = analystsOf(settings, undefined, log);
  const inDataDir = (name: string) => join(settings.DATA_DIR, name);
  privateDirectory(settings.DATA_DIR, (about) =>
    log.warn(about, 'other users of this machine may read the data directory'),
  );

  const store = openSqliteCallStore({ file: inDataDir('calls.sqlite') });
  const accounts = openAccounts({ file: inDataDir('accounts.sqlite'), log });
  // With PORT=0 the address is known only after the start.
  const PUBLIC_URL = settings.PUBLIC_URL ?? (() => gateway.url());
  const users = openUsers({ file: inDataDir('accounts.sqlite'), settings: { ...settings, PUBLIC_URL }, log });
  const calls = new Calls(store, { policy: policyOf(settings) });
  const audioStore = folderAudioStore({ dir: inDataDir('audio') });
  const messaging = replaced.messaging ?? inProcessMessaging({ log, metrics });
  const common = { calls, store, audioStore, messaging, metrics, settings, log };

  const workers: Part[] = [
    createCleanup(common),
    createAnalysis({ ...common, analysts }),
    createTranscription({ ...common, engine: speech, graceMs: GRACE_MS }),
    createDispatcher(common),
  ];
  const readiness = () => whyNotReady(workers.map((part) => () => part.ready?.() ?? null));
  const pages = (await webPages({ dir: PAGES_DIR })) ?? pagesNotBuilt;
  const gateway = createGateway({
    ...common,
    ...{ accounts, users, pages, readiness },
    degraded: () => degradedOf(workers),
  });

  const stores: Part[] = [
    closes('call store', store),
    closes('accounts', accounts),
    closes('users', users),
    closes('messaging', messaging),
  ];
  return { parts: [...stores, ...workers, gateway], url: () => gateway.url(), accounts, users };
}

export interface Standalone extends Omit<Made, 'parts' | 'url'> {
  url: string;
  /** @returns true when everything stopped in time */
  stop(): Promise<boolean>;
}

/** As `makeStandalone`, started in this process, which goes on when it is stopped: for the demo and tests. */
export async function startStandalone(
  settings: StandaloneSettings,
  log: Logger,
  replaced: { messaging?: Messaging } = {},
): Promise<Standalone> {
  const metrics = makeMetrics({ processMetrics: true });
  const { parts, url, ...made } = await makeStandalone({ settings, log, metrics }, replaced);
  const { stop } = await startParts(parts, log);
  return { ...made, url: url(), stop };
}

/** The settings of the process itself. */
const ownSettings = z.object({
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('folder for the databases, the recordings being worked on and the speech models'),
  LOG_LEVEL: serviceSettings.shape.LOG_LEVEL,
  OPS_PORT: wholeNumber({ min: 0, max: 65_535 })
    .optional()
    .describe(
      'a private port for /healthz, /readyz and /metrics, 0 to 65535; 0 takes any free port; unset: no such port',
    ),
  OPS_HOST: serviceSettings.shape.OPS_HOST,
  SHUTDOWN_DEADLINE: serviceSettings.shape.SHUTDOWN_DEADLINE,
});

/** The settings of all services. */
export const standaloneSettings = z.object({
  ...usersSettings.shape,
  // After those of the users, whose PUBLIC_URL has a default: the gateway must know whether it is set.
  ...gatewaySettings.shape,
  ...dispatcherSettings.shape,
  ...transcriptionSettings.shape,
  ...analysisSettings.shape,
  ...cleanupSettings.shape,
  ...callSettings.shape,
  ...ownSettings.shape,
});

type StandaloneSettings = z.infer<typeof standaloneSettings>;

/** @throws SettingsError naming each wrong variable */
export function readStandaloneSettings(env: Record<string, string | undefined>): StandaloneSettings {
  const dataDir = env.DATA_DIR || './data';
  const folders = {
    WORK_DIR: env.WORK_DIR || `${dataDir}/work`,
    WHISPER_MODELS_DIR: env.WHISPER_MODELS_DIR || `${dataDir}/models`,
  };
  return readSettings(standaloneSettings.superRefine(requirePublicUrl), { ...env, ...folders });
}
