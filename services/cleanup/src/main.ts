import { audioStoreSettings, connectAudioStore } from '@call-analytics/audio-store/minio';
import { callSettings } from '@call-analytics/calls';
import { callStoreSettings, connectCalls } from '@call-analytics/calls/mongo';
import { connectMessaging, messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { closes, requires, runService } from '@call-analytics/service-kit';
import { z } from 'zod';
import { cleanupSettings, createCleanup } from './cleanup.ts';

const shapes = {
  ...cleanupSettings.shape,
  ...callSettings.shape,
  ...callStoreSettings.shape,
  ...audioStoreSettings.shape,
};

await runService({
  name: 'cleanup',
  settings: z.object({ ...shapes, ...messagingSettings.shape }),
  parts: async ({ settings, ...about }) => {
    const { calls, store } = await connectCalls(settings, about);
    const messaging = await connectMessaging(settings, { ...about, name: 'cleanup' });
    const audioStore = connectAudioStore(settings, about);
    return [
      closes('call store', store),
      closes('messaging', messaging),
      requires('audio store', audioStore),
      createCleanup({ ...about, settings, calls, store, messaging, audioStore }),
    ];
  },
});
