import { analysisSettings } from '@call-analytics/analysis';
import { gatewaySettings } from '@call-analytics/api-gateway';
import { cleanupSettings } from '@call-analytics/cleanup';
import { dispatcherSettings } from '@call-analytics/dispatcher';
import { duration, LOG_LEVELS, readSettings } from '@call-analytics/service-kit';
import { transcriptionSettings } from '@call-analytics/transcription';
import { z } from 'zod';

/** One process runs every service, so its settings are all of theirs and these few. */
const ownSettings = z.object({
  DATA_DIR: z.string().default('./data').describe('folder for the databases, the recordings being worked on and the speech models'),
  FAILED_AUDIO_RETENTION: duration().prefault('24h').describe('how long the recording of a failed call is kept'),
  LEASE_DURATION: duration({ min: '1s', max: '1h' })
    .prefault('30s')
    .describe('after how long without a sign of life a worker counts as dead and its call goes to another'),
  GRANT_DURATION: duration({ min: '1s', max: '1h' })
    .prefault('30s')
    .describe('after how long a call that was handed out and not taken up is handed out again'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(`one of ${LOG_LEVELS.join(', ')}`),
});

/** Every setting there is. */
export const standaloneSettings = z.object({
  ...gatewaySettings.shape,
  ...dispatcherSettings.shape,
  ...transcriptionSettings.shape,
  ...analysisSettings.shape,
  ...cleanupSettings.shape,
  ...ownSettings.shape,
});

export type StandaloneSettings = z.infer<typeof standaloneSettings>;

/** @throws SettingsError naming each wrong variable */
export function readStandaloneSettings(env: Record<string, string | undefined>): StandaloneSettings {
  const dataDir = env.DATA_DIR || './data';
  const folders = { WORK_DIR: env.WORK_DIR || `${dataDir}/work`, WHISPER_MODELS_DIR: env.WHISPER_MODELS_DIR || `${dataDir}/models` };
  return readSettings(standaloneSettings, { ...env, ...folders });
}
