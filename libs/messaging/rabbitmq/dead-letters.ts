import { createHash, randomUUID } from 'node:crypto';
import { brokerQueue, DEAD_LETTER_QUEUE, QUEUE_NAMES, type QueueName } from '@call-analytics/contracts';
import type { Clock, Logger } from '@call-analytics/service-kit';
import type { Channel, GetMessage } from 'amqplib';
import type { DeadLetter } from '../messaging.ts';
import {
  closeQuietly,
  RESPONSE_WITHIN_MS,
  type RecoveringConnection,
  unavailable,
  unavailableBecause,
  withDeadline,
} from './connection.ts';
import { type Body, declareDeadLetterQueue, type Publisher } from './publisher.ts';

const ID = 'x-dead-letter-id';
const QUEUE = 'x-dead-letter-queue';
const REASON = 'x-dead-letter-reason';
const TIME = 'x-dead-letter-time';

/** The headers of a message must fit in 64 KiB together. */
const MAX_REASON_CHARS = 4_000;
/** What is shown of a message. A replay sends every byte. */
const MAX_BODY_CHARS = 65_536;

/**
 * A queue drops a message after a number of returns (20 by default), and reading a dead letter is taking and returning
 * it. A letter that was returned this often is replaced by a copy, which starts at 0.
 */
const COPY_AFTER_RETURNS = 10;

interface DeadLettersOptions {
  connection: RecoveringConnection;
  publisher: Publisher;
  log: Logger;
  clock: Clock;
}

/**
 * One queue of the broker holds all dead letters: they are taken from its front one by one, unacknowledged, and
 * returned, by the broker itself if a process dies. The price: a round trip for each letter up to the wanted one, and
 * two operators cannot see the same letters at the same time.
 */
export class DeadLetters {
  readonly #options: DeadLettersOptions;
  /** Two reads at the same time would hide letters from each other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: DeadLettersOptions) {
    this.#options = options;
  }

  /** Resolves when the broker has the letter, with the bytes of the message. @throws WorkError `broker_unavailable` */
  async add(queue: QueueName, message: Body, reason: string): Promise<void> {
    const letter = { id: randomUUID(), queue, reason, deadAt: this.#options.clock.now() };
    await this.#put(message, letter);
    this.#options.log.error({ queue, deadLetterId: letter.id, reason }, 'a message was dead-lettered');
  }

  /**
   * The oldest first. The queue itself does not keep that order, because reading returns letters.
   * @throws WorkError `broker_unavailable`
   */
  async list(limit: number): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    if (limit <= 0) return [];
    await this.#read(async (letter) => {
      letters.push(letter);
      return letters.length < limit ? 'next' : 'enough';
    });
    return letters.sort((a, b) => a.deadAt.getTime() - b.deadAt.getTime());
  }

  /**
   * Publishes the message to its queue as a new one, and removes the letter when the broker has confirmed. If the
   * process dies between the two, the letter stays.
   * @throws WorkError `broker_unavailable`
   */
  async replay(id: string): Promise<boolean> {
    let found = false;
    await this.#read(async (letter, message) => {
      if (letter.id !== id) return 'next';
      await this.#options.publisher.sendToQueue(brokerQueue(letter.queue), message, {});
      found = true;
      return 'take';
    });
    return found;
  }

  /** @param visit decides: go on, stop, or remove this letter from the queue and stop */
  #read(visit: (letter: DeadLetter, raw: GetMessage) => Promise<'next' | 'enough' | 'take'>): Promise<void> {
    const reading = this.#turn.then(async () => {
      const { live, why } = this.#options.connection;
      if (live === null) throw unavailable(why ?? 'not connected yet');
      let channel: Channel | null = null;
      try {
        channel = await withDeadline(RESPONSE_WITHIN_MS, 'opening a channel', live.model.createChannel());
        channel.on('error', () => {});
        await this.#readOn(channel, visit);
      } catch (error) {
        throw unavailableBecause(error);
      } finally {
        if (channel !== null) await closeQuietly(channel, live);
      }
    });
    this.#turn = reading.catch(() => {});
    return reading;
  }

  async #readOn(
    channel: Channel,
    visit: (letter: DeadLetter, raw: GetMessage) => Promise<'next' | 'enough' | 'take'>,
  ): Promise<void> {
    const seen = new Set<string>();
    await withDeadline(RESPONSE_WITHIN_MS, 'declaring the dead-letter queue', declareDeadLetterQueue(channel));
    for (;;) {
      // The message count of a queue may lag behind; getting a message does not.
      const raw = await withDeadline(RESPONSE_WITHIN_MS, 'getting a dead letter', channel.get(DEAD_LETTER_QUEUE));
      if (raw === false) break;
      const letter = readDeadLetter(raw);
      if (letter === null) {
        this.#options.log.warn(
          { queue: DEAD_LETTER_QUEUE },
          'a message among the dead letters does not say which queue it comes from',
        );
        continue;
      }
      // A copy that was made a moment ago.
      if (seen.has(letter.id)) continue;
      seen.add(letter.id);
      const next = await visit(letter, raw);
      if (next === 'take') channel.ack(raw);
      else await this.#keepAlive(channel, raw, letter);
      if (next !== 'next') break;
    }
    // Closing the channel does it too, but later: the next read may come before.
    channel.nackAll(true);
  }

  async #keepAlive(channel: Channel, raw: GetMessage, letter: DeadLetter): Promise<void> {
    const returns = raw.properties.headers?.['x-delivery-count'];
    if (typeof returns !== 'number' || returns < COPY_AFTER_RETURNS) return;
    await this.#put(raw, letter);
    channel.ack(raw);
  }

  #put(message: Body, letter: Omit<DeadLetter, 'body'>): Promise<void> {
    return this.#options.publisher.sendToQueue(DEAD_LETTER_QUEUE, message, deadLetterHeaders(letter));
  }
}

/** The headers of the message itself are dropped: a new delivery needs none, and foreign ones may leave no space. */
function deadLetterHeaders({ id, queue, reason, deadAt }: Omit<DeadLetter, 'body'>): Record<string, string> {
  return { [ID]: id, [QUEUE]: queue, [REASON]: reason.slice(0, MAX_REASON_CHARS), [TIME]: deadAt.toISOString() };
}

/** @returns null for a message that does not say which queue it comes from */
function readDeadLetter({ content, properties }: Pick<GetMessage, 'content' | 'properties'>): DeadLetter | null {
  const headers = properties.headers ?? {};
  const text = content.toString('utf8');
  const body = text.length <= MAX_BODY_CHARS ? text : `${text.slice(0, MAX_BODY_CHARS)}… (${content.length} bytes)`;
  const queue = QUEUE_NAMES.find((name) => name === headers[QUEUE]);
  const deadAt = new Date(String(headers[TIME]));
  if (queue !== undefined && typeof headers[ID] === 'string' && !Number.isNaN(deadAt.getTime())) {
    return { id: headers[ID], queue, reason: String(headers[REASON]), deadAt, body };
  }
  return fromBroker(headers['x-death'], content, body);
}

/** A letter of the broker itself, by a policy, as for too many returns. https://www.rabbitmq.com/docs/dlx#effects */
function fromBroker(deaths: unknown, content: Buffer, body: string): DeadLetter | null {
  if (!Array.isArray(deaths)) return null;
  for (const death of deaths) {
    const queue: QueueName | undefined = QUEUE_NAMES.find((name) => brokerQueue(name) === death?.queue);
    if (queue === undefined) continue;
    const seconds: unknown = death.time?.value;
    const deadAt = new Date(typeof seconds === 'number' ? seconds * 1_000 : 0);
    const id = createHash('sha256').update(content).update(deadAt.toISOString()).digest('hex').slice(0, 32);
    return { id, queue, reason: `the broker gave it up: ${death.reason}`, deadAt, body };
  }
  return null;
}
