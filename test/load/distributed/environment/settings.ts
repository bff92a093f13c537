import { audioStoreSettings } from '@call-analytics/audio-store/minio';
import { callSettings } from '@call-analytics/calls';
import { callStoreSettings } from '@call-analytics/calls/mongo';
import { messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { readSettings } from '@call-analytics/service-kit';
import { z } from 'zod';
import type { Environment } from './installation.ts';

// What the adapters take, read as the services read it: with default settings.

export function callsSettings(environment: Environment) {
  return readSettings(z.object({ ...callSettings.shape, ...callStoreSettings.shape }), environment);
}

export function audioSettings(environment: Environment) {
  return readSettings(audioStoreSettings, environment);
}

export function messagesSettings(environment: Environment) {
  return readSettings(messagingSettings, environment);
}
