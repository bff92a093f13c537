import { randomUUID } from 'node:crypto';
import { brokerQueue, DEAD_LETTER_QUEUE, type QueueName } from '@call-analytics/contracts';
import type { Clock, Logger } from '@call-analytics/service-kit';
import type { Channel, GetMessage } from 'amqplib';
import type { DeadLetter } from '../port.ts';
import { closeQuietly } from './channel.ts';
import type { LastingConnection } from './connection.ts';
import { deadLetterHeaders, readDeadLetter } from './dead-letter-headers.ts';
import { unavailable, unavailableBecause } from './failures.ts';
import type { Publisher } from './publisher.ts';
import { declareDeadLetterQueue } from './topology.ts';
import { ANSWER_WITHIN_MS, within } from './within.ts';

/**
 * A queue gives a message up when it came back often enough (20 times unless a policy says otherwise), and looking at a dead letter is taking it and putting it back.
 * One that came back this often is replaced by a copy, which begins at 0.
 */
const COPY_AFTER_RETURNS = 10;

type Body = Pick<GetMessage, 'content'> & {
  properties: Pick<GetMessage['properties'], 'contentType' | 'contentEncoding'>;
};

/**
 * One queue of the broker holds the dead letters of all. A queue has no way to look at a message or to take one from its middle, so both mean to take them from its
 * front, one by one and unacknowledged, and to let them go again: whatever dies meanwhile, the broker puts them back. The price: a round trip for each letter up to the
 * one that is wanted, and while one operator looks, another does not see those letters.
 */
export class DeadLetters {
  readonly #connection: LastingConnection;
  readonly #publisher: Publisher;
  readonly #log: Logger;
  readonly #clock: Clock;
  /** Two looks at a time would hide letters from each other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({
    connection,
    publisher,
    log,
    clock,
  }: { connection: LastingConnection; publisher: Publisher; log: Logger; clock: Clock }) {
    this.#connection = connection;
    this.#publisher = publisher;
    this.#log = log;
    this.#clock = clock;
  }

  /**
   * Resolves when the broker has the letter, with the bytes of the message as they were.
   * @throws WorkError `broker_unavailable`
   */
  async add(queue: QueueName, { content, properties }: Body, reason: string): Promise<void> {
    const letter = { id: randomUUID(), queue, reason, deadAt: this.#clock.now() };
    await this.#put({ content, properties }, letter);
    this.#log.error({ queue, deadLetterId: letter.id, reason }, 'a message is dead');
  }

  /**
   * The oldest first: the queue itself does not keep to it, because of what was looked at before.
   * @throws WorkError `broker_unavailable`
   */
  async list(limit: number): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    if (limit <= 0) return [];
    await this.#look(async (letter) => {
      letters.push(letter);
      return letters.length < limit ? 'next' : 'enough';
    });
    return letters.sort((a, b) => a.deadAt.getTime() - b.deadAt.getTime());
  }

  /**
   * Publishes the message into its queue as a new one, and takes the letter away once the broker has confirmed that. Dying between the two leaves the letter.
   * @throws WorkError `broker_unavailable`
   */
  async replay(id: string): Promise<boolean> {
    let found = false;
    await this.#look(async (letter, { content, properties: { contentType, contentEncoding } }) => {
      if (letter.id !== id) return 'next';
      const to = { exchange: '', routingKey: brokerQueue(letter.queue), mandatory: true };
      await this.#publisher.send({ ...to, body: content, contentType, contentEncoding });
      found = true;
      return 'take';
    });
    return found;
  }

  /** @param visit says whether to go on, to stop, or to take this letter out of the queue and stop */
  #look(visit: (letter: DeadLetter, raw: GetMessage) => Promise<'next' | 'enough' | 'take'>): Promise<void> {
    const looked = this.#turn.then(async () => {
      const live = this.#connection.live;
      if (live === null) throw unavailable(this.#connection.why ?? 'not connected yet');
      let channel: Channel | null = null;
      try {
        channel = await within(ANSWER_WITHIN_MS, 'opening a channel', live.model.createChannel());
        channel.on('error', () => {});
        await this.#lookOn(channel, visit);
      } catch (error) {
        throw unavailableBecause(error);
      } finally {
        if (channel !== null) await closeQuietly(channel, live);
      }
    });
    this.#turn = looked.catch(() => {});
    return looked;
  }

  async #lookOn(
    channel: Channel,
    visit: (letter: DeadLetter, raw: GetMessage) => Promise<'next' | 'enough' | 'take'>,
  ): Promise<void> {
    const seen = new Set<string>();
    await within(ANSWER_WITHIN_MS, 'declaring the dead-letter queue', declareDeadLetterQueue(channel));
    for (;;) {
      // The number of messages that a queue tells may lag behind; getting one never does.
      const raw = await within(ANSWER_WITHIN_MS, 'getting a dead letter', channel.get(DEAD_LETTER_QUEUE));
      if (raw === false) break;
      const letter = readDeadLetter(raw);
      if (letter === null) {
        this.#log.warn(
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
    // Closing the channel does it too, but some time later: who looks next may come before.
    channel.nackAll(true);
  }

  async #keepAlive(channel: Channel, raw: GetMessage, letter: DeadLetter): Promise<void> {
    const returns = raw.properties.headers?.['x-delivery-count'];
    if (typeof returns !== 'number' || returns < COPY_AFTER_RETURNS) return;
    await this.#put(raw, letter);
    channel.ack(raw);
  }

  #put(
    { content, properties: { contentType, contentEncoding } }: Body,
    letter: Omit<DeadLetter, 'wire'>,
  ): Promise<void> {
    const to = { exchange: '', routingKey: DEAD_LETTER_QUEUE, mandatory: true };
    return this.#publisher.send({
      ...to,
      body: content,
      contentType,
      contentEncoding,
      headers: deadLetterHeaders(letter),
    });
  }
}
