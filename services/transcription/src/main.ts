import { audioStoreSettings, connectAudioStore } from '@call-analytics/audio-store/minio';
import { callSettings } from '@call-analytics/calls';
import { callStoreSettings, connectCalls } from '@call-analytics/calls/mongo';
import { connectMessaging, messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { closes, requires, runService } from '@call-analytics/service-kit';
import { z } from 'zod';
import { chooseSpeechEngine } from './engines/choose-engine.ts';
import { transcriptionSettings } from './settings.ts';
import { createTranscription } from './transcription.ts';

const shapes = {
  ...transcriptionSettings.shape,
  ...callSettings.shape,
  ...callStoreSettings.shape,
  ...audioStoreSettings.shape,
};

await runService({
  name: 'transcription',
  settings: z.object({ ...shapes, ...messagingSettings.shape }),
  parts: async ({ settings, ...about }) => {
    const engine = await chooseSpeechEngine(settings, about);
    const { calls, store } = await connectCalls(settings, about);
    const messaging = await connectMessaging(settings, { ...about, name: 'transcription' });
    const audioStore = connectAudioStore(settings, about);
    const work = { ...about, settings, calls, messaging, engine, audioStore };
    return [
      closes('call store', store),
      closes('messaging', messaging),
      requires('audio store', audioStore),
      createTranscription(work),
    ];
  },
});
