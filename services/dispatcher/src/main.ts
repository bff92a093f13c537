import { callSettings } from '@call-analytics/calls';
import { callStoreSettings, connectCalls } from '@call-analytics/calls/mongo';
import { connectMessaging, messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { closes, runService } from '@call-analytics/service-kit';
import { z } from 'zod';
import { createDispatcher, dispatcherSettings } from './dispatcher.ts';

await runService({
  name: 'dispatcher',
  settings: z.object({
    ...dispatcherSettings.shape,
    ...callSettings.shape,
    ...callStoreSettings.shape,
    ...messagingSettings.shape,
  }),
  parts: async ({ settings, ...about }) => {
    const { calls, store } = await connectCalls(settings, about);
    const messaging = await connectMessaging(settings, { ...about, name: 'dispatcher' });
    const dispatcher = createDispatcher({ ...about, settings, calls, store, messaging, oneOfSeveral: true });
    return [closes('call store', store), closes('messaging', messaging), dispatcher];
  },
});
