import { type Message, parseMessage } from '@call-analytics/contracts';
import type { Channel, ConsumeMessage } from 'amqplib';

/** How many deliveries of a message ended in a throw. It travels with the message, because the broker's own counter counts other things, other ones in each release. */
export const THROWN_HEADER = 'x-thrown';

/** A message is less than a kilobyte. What is larger than this many bytes is none, and is not worth parsing. */
const LARGEST_BODY = 65_536;

/** A consumer's channel while it lives. Tags of deliveries mean nothing on another channel, and an unknown tag costs a channel its life. */
export interface Session {
  channel: Channel;
  /** Set while the consumer is registered at the broker. */
  consumerTag: string | null;
  /** Aborted when the channel is gone: the broker has put what was not acknowledged back into the queue. */
  ended: AbortController;
  fail(reason: string): void;
}

export class Delivery {
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** How many of its deliveries ended in a throw before this one. */
  readonly thrown: number;
  /** The number of this delivery, from 1, as far as can be known: those that were given back or lost with a connection are counted by the broker, if at all. */
  readonly number: number;
  readonly #session: Session;
  readonly #message: ConsumeMessage;
  #answered = false;

  constructor(session: Session, message: ConsumeMessage) {
    const { headers, contentType, contentEncoding } = message.properties;
    this.#session = session;
    this.#message = message;
    this.body = message.content;
    this.contentType = contentType;
    this.contentEncoding = contentEncoding;
    this.thrown = count(headers?.[THROWN_HEADER]);
    this.number = 1 + this.thrown + Math.max(count(headers?.['x-delivery-count']), message.fields.redelivered ? 1 : 0);
  }

  /** Aborted when the delivery is no longer this consumer's. */
  get lost(): AbortSignal {
    return this.#session.ended.signal;
  }

  /** @throws UnreadableMessage */
  read(): Message {
    return parseMessage(textOf(this.body, this.contentEncoding));
  }

  ack(): void {
    this.#answer(() => this.#session.channel.ack(this.#message));
  }

  /** Puts it back into the queue at once: only for a consumer that takes no more, or it would come straight back. */
  giveBack(): void {
    this.#answer(() => this.#session.channel.nack(this.#message, false, true));
  }

  /** The first answer counts: a second one for the same tag would cost the channel its life. */
  #answer(answer: () => void): void {
    if (this.#answered || this.lost.aborted) return;
    this.#answered = true;
    try {
      answer();
    } catch (error) {
      // A closed channel throws. The message is in the queue again, and comes as another delivery.
      this.#session.fail(String(error));
    }
  }
}

/** @throws Error that says why this is not the text of a message */
export function textOf(body: Buffer, contentEncoding: string | undefined): string {
  if (body.length > LARGEST_BODY)
    throw new Error(`${body.length} bytes, and a message has no more than ${LARGEST_BODY}`);
  if (contentEncoding !== undefined && !/^(utf-?8|identity)$/i.test(contentEncoding)) {
    throw new Error(`unknown content encoding ${contentEncoding}`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new Error('not UTF-8');
  }
}

function count(header: unknown): number {
  return typeof header === 'number' && Number.isSafeInteger(header) && header > 0 ? header : 0;
}
