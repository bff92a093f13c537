import { randomUUID } from 'node:crypto';
import {
  brokerQueue,
  CLOUD_EVENT,
  EXCHANGE,
  LIVE_EXCHANGE,
  type MessageType,
  QUEUE_NAMES,
  queuesFor,
} from '@call-analytics/contracts';
import {
  type Clock,
  circuitBreaker,
  type Logger,
  type Metrics,
  systemClock,
  withCircuitBreaker,
} from '@call-analytics/service-kit';
import type { Channel, ConsumeMessage } from 'amqplib';
import { z } from 'zod';
import { notify } from '../consumer.ts';
import type { Handler, Listener, Messaging, Subscription } from '../messaging.ts';
import {
  closeQuietly,
  RESPONSE_WITHIN_MS,
  RecoveringChannel,
  RecoveringConnection,
  unavailable,
  unavailableBecause,
  withDeadline,
} from './connection.ts';
import { RabbitmqConsumer, textOf } from './consumer.ts';
import { DeadLetters } from './dead-letters.ts';
import { declareLiveExchange, Publisher } from './publisher.ts';

export { inspectBroker } from './inspect.ts';

/** Longer than the adapter waits for a confirm. */
const DEADLINE_MS = 15_000;

export const messagingSettings = z.object({
  RABBITMQ_URL: z
    .url({ protocol: /^amqps?$/, error: 'must be an address such as amqp://user:password@host:5672/virtual-host' })
    .describe('amqp:// or amqps://, with user, password and, when it is not /, the virtual host'),
});
type MessagingSettings = z.infer<typeof messagingSettings>;

/**
 * The broker that a service's settings name, behind its circuit breaker.
 * @param name the service, as operators see it in the broker's list of connections. It owns the queue of this name.
 */
export async function connectMessaging(
  settings: MessagingSettings,
  { name, log, metrics }: { name: string; log: Logger; metrics: Metrics },
): Promise<Messaging> {
  const unavailable = { code: 'broker_unavailable', message: 'The broker is not available.' };
  const breaker = circuitBreaker('broker', { unavailable, deadlineMs: DEADLINE_MS, log, metrics });
  const messaging = await rabbitmqMessaging({ url: settings.RABBITMQ_URL, name, log, metrics });
  // Consumers and subscriptions recover by themselves.
  return withCircuitBreaker(messaging, breaker, {
    consume: 'direct',
    subscribe: 'direct',
    unhandledQueues: 'direct',
    depth: 'direct',
    deadLetters: 'direct',
    replay: 'direct',
    ready: 'direct',
    close: 'direct',
  });
}

/**
 * A queue that ends with its channel: a slow subscriber misses the oldest messages and costs the broker no more than
 * this. The type is explicit because a virtual host may have another default.
 */
const SUBSCRIBER_QUEUE = {
  exclusive: true,
  durable: false,
  autoDelete: true,
  arguments: { 'x-queue-type': 'classic', 'x-max-length': 10_000, 'x-overflow': 'drop-head' },
};

interface RabbitmqMessagingOptions {
  /** `amqp://user:password@host:5672/virtual-host` */
  url: string;
  /** The service, as operators see it in the broker's list of connections. It owns the queue of this name. */
  name?: string;
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  /** The delay before a message whose handler threw is delivered again, in milliseconds. */
  redeliverAfterMs?: number;
}

/**
 * Messaging over RabbitMQ 4. While a lost connection, channel, queue or consumer recovers, publishing fails at once,
 * consumers wait, and `ready()` says why.
 * @returns when it is connected, or when the first attempt has failed: a process starts without its broker
 * @throws TypeError for an invalid URL
 */
export async function rabbitmqMessaging({
  url,
  name = 'call-analytics',
  log,
  metrics,
  clock = systemClock,
  redeliverAfterMs,
}: RabbitmqMessagingOptions): Promise<Messaging> {
  // Under a memory or disk alarm the broker stops reading from publishing connections. Acknowledgements must go on.
  const publisher = new Publisher({ url, name: `${name}: publishing`, log });
  const connection = new RecoveringConnection({ url, name: `${name}: consuming`, log });
  const letters = new DeadLetters({ connection, publisher, log, clock });
  const shared = { connection, publisher, letters, redeliverAfterMs, log, metrics, clock };
  const consumers = new Set<RabbitmqConsumer>();
  const subscribers = new Set<RabbitmqSubscriber>();
  let closing: Promise<void> | null = null;

  await Promise.all([publisher.attempted, connection.attempted]);

  async function close(): Promise<void> {
    await Promise.all([
      ...[...consumers].map((consumer) => consumer.close(AbortSignal.abort())),
      ...[...subscribers].map((subscriber) => subscriber.close()),
    ]);
    await Promise.all([publisher.close(), connection.close()]);
  }

  return {
    async publish(message) {
      const content = Buffer.from(JSON.stringify(message));
      const properties = { contentType: CLOUD_EVENT };
      // The broker returns a mandatory message only when it reached no queue at all. A test ensures that no message has
      // to reach two.
      if (queuesFor(message.type).length > 0) await publisher.send(EXCHANGE, message.type, content, properties);
      else publisher.assertReady();
      publisher.broadcast(message.type, content, properties);
      metrics.messagesPublished.inc({ type: message.type });
    },

    async consume(queue, handler, { concurrency }) {
      if (closing !== null) throw unavailable('closed');
      const consumer = new RabbitmqConsumer({ ...shared, queue, handler: handler as Handler, concurrency });
      consumers.add(consumer);
      await consumer.attempted;
      return consumer;
    },

    async subscribe(types, listener) {
      if (closing !== null) throw unavailable('closed');
      const subscriber = new RabbitmqSubscriber({ connection, types, listener, log });
      subscribers.add(subscriber);
      await subscriber.attempted;
      return {
        ready: () => subscriber.ready(),
        close: async () => {
          subscribers.delete(subscriber);
          await subscriber.close();
        },
      };
    },

    unhandledQueues: () =>
      QUEUE_NAMES.filter((queue) => queue === name && ![...consumers].some((consumer) => consumer.queue === queue)),

    async depth(queue) {
      const { live, why } = connection;
      if (live === null) throw unavailable(why ?? 'not connected yet');
      try {
        const channel = await withDeadline(RESPONSE_WITHIN_MS, 'opening a channel', live.model.createChannel());
        channel.on('error', () => {});
        try {
          return (await withDeadline(RESPONSE_WITHIN_MS, 'depth', channel.checkQueue(brokerQueue(queue)))).messageCount;
        } finally {
          await closeQuietly(channel, live);
        }
      } catch (error) {
        throw unavailableBecause(error);
      }
    },

    deadLetters: (limit) => letters.list(limit),
    replay: (id) => letters.replay(id),
    ready: () => (closing === null ? publisher.ready() : 'closed'),

    close() {
      closing ??= close();
      return closing;
    },
  };
}

interface SubscriberOptions {
  connection: RecoveringConnection;
  types: readonly MessageType[];
  listener: Listener;
  log: Logger;
}

/** Receives messages of some types over the current channel, and none between two channels. */
class RabbitmqSubscriber implements Subscription {
  readonly #options: SubscriberOptions;
  readonly #channels: RecoveringChannel;
  #receiving = false;
  #why = 'not listening yet';
  #closed = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.#channels = new RecoveringChannel(
      options.connection,
      {
        name: LIVE_EXCHANGE,
        up: (channel, fail) => this.#up(channel, fail),
        down: (reason) => {
          this.#receiving = false;
          this.#why = reason;
        },
      },
      options.log,
    );
  }

  /** Settles when it receives, or when the first attempt has failed. */
  get attempted(): Promise<void> {
    return this.#channels.attempted;
  }

  ready(): string | null {
    if (this.#closed) return 'closed';
    return this.#receiving ? null : (this.#options.connection.why ?? this.#why);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#channels.close();
  }

  async #up(channel: Channel, fail: (reason: string) => void): Promise<void> {
    await declareLiveExchange(channel);
    const { types, listener, log } = this.#options;
    const queue = `${LIVE_EXCHANGE}.${randomUUID()}`;
    await channel.assertQueue(queue, SUBSCRIBER_QUEUE);
    // The broker filters by type: each delivery would cost this process time.
    for (const type of types) await channel.bindQueue(queue, LIVE_EXCHANGE, type);
    const take = (message: ConsumeMessage | null) => {
      if (message === null) fail('the broker canceled the subscription');
      else if (!this.#closed) notify(listener, () => textOf(message), log);
    };
    await withDeadline(RESPONSE_WITHIN_MS, 'consume', channel.consume(queue, take, { noAck: true }));
    this.#receiving = true;
  }
}
