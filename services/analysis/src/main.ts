import { callSettings } from '@call-analytics/calls';
import { callStoreSettings, connectCalls } from '@call-analytics/calls/mongo';
import { connectMessaging, messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { closes, runService } from '@call-analytics/service-kit';
import { z } from 'zod';
import { createAnalysis } from './analysis.ts';
import { analystsOf } from './choose-analyst.ts';
import { analysisSettings } from './settings.ts';

await runService({
  name: 'analysis',
  settings: z.object({
    ...analysisSettings.shape,
    ...callSettings.shape,
    ...callStoreSettings.shape,
    ...messagingSettings.shape,
  }),
  parts: async ({ settings, ...about }) => {
    const analysts = analystsOf(settings, undefined, about.log);
    const { calls, store } = await connectCalls(settings, about);
    const messaging = await connectMessaging(settings, { ...about, name: 'analysis' });
    return [
      closes('call store', store),
      closes('messaging', messaging),
      createAnalysis({ ...about, settings, calls, messaging, analysts }),
    ];
  },
});
