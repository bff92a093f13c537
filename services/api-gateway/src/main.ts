import { accountsClientSettings, connectAccounts } from '@call-analytics/accounts/grpc';
import { audioStoreSettings, connectAudioStore } from '@call-analytics/audio-store/minio';
import { callSettings } from '@call-analytics/calls';
import { callStoreSettings, connectCalls } from '@call-analytics/calls/mongo';
import { closes, runService } from '@call-analytics/service-kit';
import { z } from 'zod';
import { createGateway } from './gateway.ts';
import { gatewaySettings } from './settings.ts';

const shapes = { ...gatewaySettings.shape, ...accountsClientSettings.shape, ...callSettings.shape, ...callStoreSettings.shape };

await runService({
  name: 'api-gateway',
  settings: z.object({ ...shapes, ...audioStoreSettings.shape }),
  parts: async ({ settings, ...about }) => {
    const calls = await connectCalls(settings, about);
    const accounts = connectAccounts(settings, about);
    const audioStore = connectAudioStore(settings, about);
    return [
      closes('call store', calls.store),
      closes('accounts', accounts),
      createGateway({ ...about, settings, calls, accounts, audioStore }),
    ];
  },
});
