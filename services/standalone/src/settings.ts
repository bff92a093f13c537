import { usersSettings } from '@call-analytics/accounts';
import { analysisSettings } from '@call-analytics/analysis';
import { demandPublicUrl, gatewaySettings } from '@call-analytics/api-gateway';
import { callSettings } from '@call-analytics/calls';
import { cleanupSettings } from '@call-analytics/cleanup';
import { dispatcherSettings } from '@call-analytics/dispatcher';
import { readSettings, serviceSettings, wholeNumber } from '@call-analytics/service-kit';
import { transcriptionSettings } from '@call-analytics/transcription';
import { z } from 'zod';

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
      'where /healthz, /readyz and /metrics are for operators, 0 to 65535; 0 takes any free port; unset: no such port',
    ),
  OPS_HOST: serviceSettings.shape.OPS_HOST,
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

export type StandaloneSettings = z.infer<typeof standaloneSettings>;

/** @throws SettingsError naming each wrong variable */
export function readStandaloneSettings(env: Record<string, string | undefined>): StandaloneSettings {
  const dataDir = env.DATA_DIR || './data';
  const folders = {
    WORK_DIR: env.WORK_DIR || `${dataDir}/work`,
    WHISPER_MODELS_DIR: env.WHISPER_MODELS_DIR || `${dataDir}/models`,
  };
  return readSettings(standaloneSettings.superRefine(demandPublicUrl), { ...env, ...folders });
}
