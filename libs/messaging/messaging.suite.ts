import { describe, expect, it } from '@jest/globals';
import { consumersContract } from './consuming.suite.ts';
import type { Messaging } from './index.ts';
import { messagesContract } from './messages.suite.ts';
import { DONE, underTest } from './messaging.fixture.ts';
import { subscriptionsContract } from './subscriptions.suite.ts';

/**
 * What every adapter of `Messaging` must do.
 * @param open gives an adapter of the service `cleanup` with empty queues; it redelivers after a few milliseconds so
 *   that the suite is quick
 */
export function messagingContract(name: string, open: () => Promise<Messaging>): void {
  describe(`messaging contract: ${name}`, () => {
    const at = underTest(open);
    messagesContract(at);
    consumersContract(at);
    subscriptionsContract(at);

    it('names its queue as without a handler until something consumes it', async () => {
      expect(at.messaging.unhandledQueues()).toContain('cleanup');
      await at.consume(async () => DONE);
      expect(at.messaging.unhandledQueues()).not.toContain('cleanup');
    });

    it('is ready until it is closed', async () => {
      expect(at.messaging.ready()).toBeNull();
      await at.messaging.close();
      expect(at.messaging.ready()).not.toBeNull();
    });
  });
}
