import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterEach } from '@jest/globals';
import type { Messaging } from '../index.ts';
import { messagingContract } from '../messaging.suite.ts';
import { rabbitmqMessaging } from './messaging.ts';

describeWithServers('RabbitMQ', (servers) => {
  const open: { messaging: Messaging; remove(): Promise<void> }[] = [];

  messagingContract('RabbitMQ', async () => {
    const { url, remove } = await servers.virtualHost();
    const messaging = await rabbitmqMessaging({
      url,
      name: 'cleanup',
      log: makeLogger('test', 'silent'),
      metrics: makeMetrics(),
      redeliverAfterMs: 5,
    });
    open.push({ messaging, remove });
    return messaging;
  });

  afterEach(async () => {
    for (const { messaging, remove } of open.splice(0)) {
      await messaging.close();
      await remove();
    }
  });
});
