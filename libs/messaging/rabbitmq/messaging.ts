import {
  brokerQueue,
  CLOUD_EVENT,
  EXCHANGE,
  LIVE_EXCHANGE,
  type Message,
  type MessageType,
  type QueueName,
  queuesFor,
} from '@call-analytics/contracts';
import { type Clock, type Logger, type Metrics, systemClock } from '@call-analytics/service-kit';
import type { Consumer, Handler, Listener, Messaging, Subscription } from '../port.ts';
import { closeQuietly } from './channel.ts';
import { LastingConnection } from './connection.ts';
import { RabbitmqConsumer } from './consumer.ts';
import { DeadLetters } from './dead-letters.ts';
import { THROWN_HEADER } from './delivery.ts';
import { unavailable, unavailableBecause } from './failures.ts';
import { Publisher } from './publisher.ts';
import { RabbitmqSubscriber } from './subscriber.ts';
import { ANSWER_WITHIN_MS, within } from './within.ts';

export interface RabbitmqMessagingOptions {
  /** `amqp://user:password@host:5672/virtual-host` */
  url: string;
  /** What operators see in the broker's list of connections. */
  name?: string;
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  /** The delay before a message whose handler threw is delivered again, in milliseconds. */
  redeliverAfterMs?: number;
}

/**
 * Messaging over RabbitMQ 4. Connections, channels, queues and consumers are made again whenever they are lost; meanwhile publishing fails at once, consumers wait,
 * and `ready()` says why.
 * @returns when it is connected, or when the first try to connect has failed: a broker that is not there yet is no reason not to start
 * @throws TypeError when the address is none
 */
export async function rabbitmqMessaging({
  url,
  name = 'call-analytics',
  log,
  metrics,
  clock = systemClock,
  redeliverAfterMs,
}: RabbitmqMessagingOptions): Promise<Messaging> {
  // Under its alarm for memory or disk the broker stops reading from connections that publish. Acknowledgements must not stop with that.
  const publisher = new Publisher({ url, name: `${name}: publishing`, log });
  const connection = new LastingConnection({ url, name: `${name}: consuming`, log });
  const letters = new DeadLetters({ connection, publisher, log, clock });
  const consumers = new Set<RabbitmqConsumer>();
  const subscribers = new Set<RabbitmqSubscriber>();
  let closing: Promise<void> | null = null;

  await Promise.all([publisher.tried, connection.tried]);

  async function close(): Promise<void> {
    await Promise.all([
      ...[...consumers].map((consumer) => consumer.close(AbortSignal.abort())),
      ...[...subscribers].map((subscriber) => subscriber.close()),
    ]);
    await Promise.all([publisher.close(), connection.close()]);
  }

  return {
    async publish(message: Message) {
      const body = Buffer.from(JSON.stringify(message));
      await publisher.send({
        exchange: EXCHANGE,
        routingKey: message.type,
        body,
        // An event that nobody has to hear is no error. No message has to reach more than one queue: a test keeps it so, because this tells of none at all only.
        mandatory: queuesFor(message.type).length > 0,
        contentType: CLOUD_EVENT,
      });
      publisher.mention({ exchange: LIVE_EXCHANGE, routingKey: message.type, body, contentType: CLOUD_EVENT });
      metrics.messagesPublished.inc({ type: message.type });
    },

    async consume(queue: QueueName, handler: Handler, { concurrency }: { concurrency: number }): Promise<Consumer> {
      if (closing !== null) throw unavailable('closed');
      const consumer = new RabbitmqConsumer({
        connection,
        queue,
        handler,
        concurrency,
        redeliverAfterMs,
        redeliver: ({ body, contentType, contentEncoding, thrown }) =>
          publisher.send({
            exchange: '',
            routingKey: brokerQueue(queue),
            body,
            mandatory: true,
            contentType,
            contentEncoding,
            headers: { [THROWN_HEADER]: thrown + 1 },
          }),
        deadLetter: ({ body, contentType, contentEncoding }, reason) =>
          letters.add(queue, { content: body, properties: { contentType, contentEncoding } }, reason),
        log,
        metrics,
        clock,
      });
      consumers.add(consumer);
      await consumer.tried;
      return consumer;
    },

    async subscribe(types: readonly MessageType[], listener: Listener): Promise<Subscription> {
      if (closing !== null) throw unavailable('closed');
      const subscriber = new RabbitmqSubscriber({ connection, types, listener, log });
      subscribers.add(subscriber);
      await subscriber.tried;
      return {
        ready: () => subscriber.ready(),
        close: async () => {
          subscribers.delete(subscriber);
          await subscriber.close();
        },
      };
    },

    async depth(queue: QueueName) {
      const live = connection.live;
      if (live === null) throw unavailable(connection.why ?? 'not connected yet');
      try {
        const channel = await within(ANSWER_WITHIN_MS, 'opening a channel', live.model.createChannel());
        channel.on('error', () => {});
        try {
          return (await within(ANSWER_WITHIN_MS, 'depth', channel.checkQueue(brokerQueue(queue)))).messageCount;
        } finally {
          await closeQuietly(channel, live);
        }
      } catch (error) {
        throw unavailableBecause(error);
      }
    },

    deadLetters: (limit: number) => letters.list(limit),
    replay: (id: string) => letters.replay(id),
    ready: () => (closing === null ? publisher.ready() : 'closed'),

    close() {
      closing ??= close();
      return closing;
    },
  };
}
