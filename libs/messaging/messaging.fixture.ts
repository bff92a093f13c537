import { randomUUID } from 'node:crypto';
import { type Message, type MessageType, makeMessage } from '@call-analytics/contracts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach } from '@jest/globals';
import type { Consumer, DeliveryContext, Handler, Messaging, Outcome } from './index.ts';

export const DONE: Outcome = { kind: 'done' };

/** The adapter that is tested, opened anew for each test, and what the tests do with it. */
export interface UnderTest {
  readonly messaging: Messaging;
  consume(handler: Handler, concurrency?: number): Promise<Consumer>;
  publish(callId: string, type?: MessageType): Promise<Message>;
}

export function underTest(open: () => Promise<Messaging>): UnderTest {
  let messaging: Messaging;
  beforeEach(async () => {
    messaging = await open();
  });
  afterEach(() => messaging.close());
  return {
    get messaging() {
      return messaging;
    },
    consume: (handler, concurrency = 1) => messaging.consume('cleanup', handler, { concurrency }),
    async publish(callId, type = 'call.completed') {
      const message = messageAbout(callId, type);
      await messaging.publish(message);
      return message;
    },
  };
}

/** A handler that notes the ids of calls in the order in which their messages came. */
export function recorder(
  outcome: (message: Message, context: DeliveryContext) => Outcome | Promise<Outcome> = () => DONE,
) {
  const seen: string[] = [];
  const handler: Handler = async (message, context) => {
    seen.push(message.data.callId);
    return outcome(message, context);
  };
  const saw = (count: number) =>
    until(
      () => seen.length,
      (n) => n >= count,
    );
  return { seen, handler, saw };
}

export function messageAbout(callId: string, type: MessageType): Message {
  return makeMessage(type, { callId, accountId: 'account_1' }, randomUUID(), '/contract', new Date());
}

/** Proves that messages flow: whatever was going to happen on the first queue had the same chance to. */
export async function otherQueueWorks(messaging: Messaging): Promise<void> {
  const arrived = Promise.withResolvers<void>();
  const consumer = await messaging.consume(
    'analysis',
    async () => {
      arrived.resolve();
      return DONE;
    },
    { concurrency: 1 },
  );
  await messaging.publish(messageAbout('call_elsewhere', 'analysis.requested'));
  await arrived.promise;
  await consumer.close();
}
