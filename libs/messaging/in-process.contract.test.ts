import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { inProcessMessaging } from './index.ts';
import { messagingContract } from './messaging.suite.ts';

messagingContract('in process', async () =>
  inProcessMessaging({ log: makeLogger('test', 'silent'), metrics: makeMetrics(), redeliverAfterMs: 5 }),
);
