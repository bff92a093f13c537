import { accountsClientSettings } from '@call-analytics/accounts/grpc';
import { analysisSettings } from '@call-analytics/analysis';
import { gatewaySettings } from '@call-analytics/api-gateway';
import { audioStoreSettings } from '@call-analytics/audio-store/minio';
import { callSettings } from '@call-analytics/calls';
import { callStoreSettings } from '@call-analytics/calls/mongo';
import { cleanupSettings } from '@call-analytics/cleanup';
import { dispatcherSettings } from '@call-analytics/dispatcher';
import { messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { transcriptionSettings } from '@call-analytics/transcription';
import type { z } from 'zod';
import { accountsServiceSettings } from '../services/accounts/src/settings.ts';
import { webAddress } from '../services/api-gateway/src/settings.ts';
import { backupSettings } from '../services/ops/src/backup.ts';
import { webSettings } from '../services/web/src/server/pages.ts';

/** What the entry point of each service reads. */
const work = { ...callSettings.shape, ...callStoreSettings.shape, ...messagingSettings.shape };
const audio = audioStoreSettings.shape;
export const SETTINGS: Record<string, z.ZodRawShape> = {
  'api-gateway': { ...gatewaySettings.shape, ...work, ...audio, ...accountsClientSettings.shape, ...webAddress.shape },
  web: webSettings.shape,
  accounts: { ...accountsServiceSettings.shape, ACCOUNTS_URL: accountsClientSettings.shape.ACCOUNTS_URL },
  dispatcher: { ...dispatcherSettings.shape, ...work },
  transcription: { ...transcriptionSettings.shape, ...work, ...audio },
  analysis: { ...analysisSettings.shape, ...work },
  cleanup: { ...cleanupSettings.shape, ...work, ...audio },
  ops: { ...work, ...backupSettings.shape },
};
