import type { Logger } from '@call-analytics/service-kit';
import type { ConfirmChannel } from 'amqplib';
import { LastingChannel } from './channel.ts';
import { LastingConnection } from './connection.ts';
import { reasonOf, unavailable } from './failures.ts';
import { declareTopology } from './topology.ts';
import { CLOSE_WITHIN_MS, CONFIRM_WITHIN_MS, within } from './within.ts';

/** Messages on their way at a time. What waits for the broker waits in the outbox, not in this process's memory. */
const ON_THEIR_WAY_LIMIT = 10_000;

export interface Sending {
  /** Empty for the default exchange, whose routing keys are the names of queues. */
  exchange: string;
  routingKey: string;
  body: Buffer;
  /** Whether it is an error when no queue takes it. */
  mandatory: boolean;
  contentType?: string | undefined;
  contentEncoding?: string | undefined;
  /** Everything together stays far below 64 KiB, beyond which the library throws. */
  headers?: Record<string, string | number>;
}

interface Waiting {
  succeed(): void;
  fail(why: string): void;
}

/** Everything that is published goes through here: many messages on their way at a time, each with the broker's confirm, on a connection that only publishes. */
export class Publisher {
  readonly #connection: LastingConnection;
  readonly #channels: LastingChannel;
  readonly #log: Logger;
  readonly #waiting = new Map<string, Waiting>();
  #channel: ConfirmChannel | null = null;
  #why = 'not connected yet';
  /** Why the broker takes no messages for now, although it is there. */
  #blocked: string | null = null;
  #declaring: Promise<void> | null = null;
  #closing = false;
  readonly #idle = Promise.withResolvers<void>();
  #sent = 0;
  /** Sent and not called back by the library; more than those waiting while it is blocked. */
  #onTheirWay = 0;

  constructor({ url, name, log }: { url: string; name: string; log: Logger }) {
    this.#log = log;
    this.#connection = new LastingConnection({ url, name, log, onBlocked: (reason) => this.#block(reason) });
    this.#channels = new LastingChannel(
      this.#connection,
      {
        name: 'publishing',
        up: async (channel) => {
          channel.on('return', ({ properties }) => this.#returned(String(properties.correlationId)));
          await declareTopology(channel);
          this.#channel = channel;
        },
        down: (reason) => {
          this.#channel = null;
          this.#blocked = null;
          this.#why = reason;
          this.#failAll(reason);
        },
      },
      log,
    );
  }

  /** Settled when it can publish, or when the first try to get there has failed. */
  get tried(): Promise<void> {
    return this.#channels.tried;
  }

  /** @returns null when it can publish now, otherwise why not */
  ready(): string | null {
    if (this.#closing) return 'closed';
    if (this.#blocked !== null) return `the broker takes no messages: ${this.#blocked}`;
    return this.#channel === null ? (this.#connection.why ?? this.#why) : null;
  }

  /**
   * Resolves when the broker has confirmed the message: for a quorum queue, that most of its replicas have written it to disk.
   * @throws WorkError `broker_unavailable` when that is not certain; the message may be in its queue all the same
   */
  async send({ exchange, routingKey, body, mandatory, contentType, contentEncoding, headers }: Sending): Promise<void> {
    const away = this.ready();
    const channel = this.#channel;
    if (away !== null || channel === null) throw unavailable(away ?? this.#why);
    if (this.#onTheirWay >= ON_THEIR_WAY_LIMIT)
      throw unavailable(`${ON_THEIR_WAY_LIMIT} messages wait for its confirm already`);
    this.#sent += 1;
    const tag = String(this.#sent);
    const confirmed = new Promise<void>((resolve, reject) => {
      this.#waiting.set(tag, { succeed: resolve, fail: (why) => reject(unavailable(why)) });
      const options = { persistent: true, mandatory, contentType, contentEncoding, headers, correlationId: tag };
      try {
        channel.publish(exchange, routingKey, body, options, (error) => this.#calledBack(tag, error));
        this.#onTheirWay += 1;
      } catch (error) {
        this.#take(tag)?.fail(reasonOf(error));
      }
    });
    try {
      await within(CONFIRM_WITHIN_MS, 'a message', confirmed);
    } catch (error) {
      if (this.#take(tag) === undefined) throw error;
      // The confirms of those behind it are as doubtful, and a connection on which one is missing would keep its place in memory for ever.
      const why = reasonOf(error);
      this.#connection.live?.discard(why);
      throw unavailable(why, error);
    }
  }

  /** Says it once to whoever listens. Nobody waits for it, and it is not said at all while something is in the way. */
  mention({
    exchange,
    routingKey,
    body,
    contentType,
  }: Pick<Sending, 'exchange' | 'routingKey' | 'body' | 'contentType'>): void {
    const channel = this.#channel;
    if (channel === null || this.ready() !== null || this.#onTheirWay >= ON_THEIR_WAY_LIMIT) return;
    this.#onTheirWay += 1;
    try {
      channel.publish(exchange, routingKey, body, { contentType }, () => {
        this.#onTheirWay -= 1;
      });
    } catch {
      // The channel has just ended, which its next user notices.
      this.#onTheirWay -= 1;
    }
  }

  /** Takes no more, and gives what is on its way a few seconds to be confirmed. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#waiting.size > 0) await within(CLOSE_WITHIN_MS, 'the last messages', this.#idle.promise).catch(() => {});
    await this.#channels.close();
    await this.#connection.close();
  }

  #calledBack(tag: string, error: unknown): void {
    this.#onTheirWay -= 1;
    const waiting = this.#take(tag);
    if (error) waiting?.fail(reasonOf(error));
    else waiting?.succeed();
  }

  #take(tag: string): Waiting | undefined {
    const waiting = this.#waiting.get(tag);
    this.#waiting.delete(tag);
    if (this.#closing && this.#waiting.size === 0) this.#idle.resolve();
    return waiting;
  }

  /**
   * A mandatory message that no queue took: somebody deleted the queue, or its binding. The broker sends this before the message's confirm, which is a positive one.
   */
  #returned(tag: string): void {
    this.#take(tag)?.fail('no queue took the message');
    const channel = this.#channel;
    if (channel === null || this.#declaring !== null) return;
    this.#log.error('a queue or its binding is gone: declaring it again');
    this.#declaring = declareTopology(channel)
      .catch((error) => this.#log.error({ reason: reasonOf(error) }, 'cannot declare the queues'))
      .finally(() => {
        this.#declaring = null;
      });
  }

  /** Under its alarm for memory or disk the broker stops reading from connections that publish: no confirm will come while it lasts. */
  #block(reason: string | null): void {
    this.#blocked = reason;
    if (reason === null) {
      this.#log.info('the broker takes messages again');
      return;
    }
    this.#log.error({ reason }, 'the broker takes no messages');
    this.#failAll(`it takes no messages: ${reason}`);
  }

  #failAll(why: string): void {
    for (const tag of [...this.#waiting.keys()]) this.#take(tag)?.fail(why);
  }
}
