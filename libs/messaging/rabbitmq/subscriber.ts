import { randomUUID } from 'node:crypto';
import { LIVE_EXCHANGE, type MessageType } from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Listener, Subscription } from '../port.ts';
import { tell } from '../tell.ts';
import { LastingChannel } from './channel.ts';
import type { LastingConnection } from './connection.ts';
import { textOf } from './delivery.ts';
import { declareLiveExchange } from './topology.ts';
import { ANSWER_WITHIN_MS, within } from './within.ts';

/**
 * A queue that goes with its channel. It holds what a subscriber has not been sent yet: one that reads too slowly misses the oldest, and costs
 * the broker no more than this. The type is said because a virtual host may have another default.
 */
const OF_ITS_OWN = {
  exclusive: true,
  durable: false,
  autoDelete: true,
  arguments: { 'x-queue-type': 'classic', 'x-max-length': 10_000, 'x-overflow': 'drop-head' },
};

interface Subscribing {
  connection: LastingConnection;
  types: readonly MessageType[];
  listener: Listener;
  log: Logger;
}

/** Hears the messages of some types, over whichever channel there is. Between two channels it hears nothing. */
export class RabbitmqSubscriber implements Subscription {
  readonly #connection: LastingConnection;
  readonly #types: readonly MessageType[];
  readonly #listener: Listener;
  readonly #log: Logger;
  readonly #channels: LastingChannel;
  #hears = false;
  #why = 'not listening yet';
  #closed = false;

  constructor({ connection, types, listener, log }: Subscribing) {
    this.#connection = connection;
    this.#types = types;
    this.#listener = listener;
    this.#log = log;
    this.#channels = new LastingChannel(
      connection,
      {
        name: LIVE_EXCHANGE,
        up: (channel, fail) => this.#up(channel, fail),
        down: (reason) => {
          this.#hears = false;
          this.#why = reason;
        },
      },
      log,
    );
  }

  /** Settled when it hears, or when the first try to get there has failed. */
  get tried(): Promise<void> {
    return this.#channels.tried;
  }

  ready(): string | null {
    if (this.#closed) return 'closed';
    return this.#hears ? null : (this.#connection.why ?? this.#why);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#channels.close();
  }

  async #up(channel: Channel, fail: (reason: string) => void): Promise<void> {
    await declareLiveExchange(channel);
    const queue = `${LIVE_EXCHANGE}.${randomUUID()}`;
    await channel.assertQueue(queue, OF_ITS_OWN);
    // What nobody wants to hear ends in the broker: each delivery would cost this process a moment.
    for (const type of this.#types) await channel.bindQueue(queue, LIVE_EXCHANGE, type);
    const take = (message: ConsumeMessage | null) => {
      if (message === null) fail('the broker cancelled the subscription');
      else if (!this.#closed)
        tell(this.#listener, () => textOf(message.content, message.properties.contentEncoding), this.#log);
    };
    await within(ANSWER_WITHIN_MS, 'consume', channel.consume(queue, take, { noAck: true }));
    this.#hears = true;
  }
}
