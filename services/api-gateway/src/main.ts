import { accountsClientSettings, connectAccounts, connectUsers } from '@call-analytics/accounts/grpc';
import { audioStoreSettings, connectAudioStore } from '@call-analytics/audio-store/minio';
import { callSettings } from '@call-analytics/calls';
import { callStoreSettings, connectCalls } from '@call-analytics/calls/mongo';
import { connectMessaging, messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { closes, runService } from '@call-analytics/service-kit';
import { z } from 'zod';
import { createGateway } from './gateway.ts';
import { remotePages } from './pages.ts';
import { gatewaySettings, requirePublicUrl, webAddress } from './settings.ts';

const stores = { ...callSettings.shape, ...callStoreSettings.shape, ...audioStoreSettings.shape };
const others = { ...accountsClientSettings.shape, ...messagingSettings.shape, ...webAddress.shape };

await runService({
  name: 'api-gateway',
  settings: z.object({ ...gatewaySettings.shape, ...stores, ...others }).superRefine(requirePublicUrl),
  parts: async ({ settings, ...about }) => {
    const { calls, store } = await connectCalls(settings, about);
    const accounts = connectAccounts(settings, about);
    const users = connectUsers(settings, about, accounts);
    const audioStore = connectAudioStore(settings, about);
    // Only for the event streams of open pages. Without the broker, pages poll.
    const messaging = await connectMessaging(settings, { ...about, name: 'api-gateway' });
    const pages = remotePages({ url: settings.WEB_URL, ...about });
    return [
      closes('call store', store),
      closes('accounts', accounts),
      closes('users', users),
      closes('messaging', { close: () => messaging.close() }),
      createGateway({ ...about, settings, calls, accounts, users, audioStore, messaging, pages }),
    ];
  },
});
