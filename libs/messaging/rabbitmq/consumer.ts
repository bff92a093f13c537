import { brokerQueue } from '@call-analytics/contracts';
import type { Clock } from '@call-analytics/service-kit';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Consumer } from '../port.ts';
import { LastingChannel } from './channel.ts';
import type { LastingConnection } from './connection.ts';
import { Delivery, type Session } from './delivery.ts';
import { reasonOf } from './failures.ts';
import { InHand, type InHandParts } from './in-hand.ts';
import { declareTopology } from './topology.ts';
import { ANSWER_WITHIN_MS, within } from './within.ts';

/** The longest that a timer can wait. https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ConsumerParts extends Omit<InHandParts, 'pauseUntil'> {
  connection: LastingConnection;
  clock: Clock;
}

/** Has the broker deliver messages, over whichever channel there is, except while it is paused. */
export class RabbitmqConsumer implements Consumer {
  readonly #parts: ConsumerParts;
  readonly #channels: LastingChannel;
  readonly #inHand: InHand;
  #session: Session | null = null;
  #why = 'not consuming yet';
  #closed = false;
  #paused = false;
  /** Set while an outcome's `pauseUntil` lasts. */
  #pause: { until: number; timer: NodeJS.Timeout } | null = null;
  #steps: Promise<void> = Promise.resolve();

  constructor(parts: ConsumerParts) {
    this.#parts = parts;
    this.#inHand = new InHand({ ...parts, pauseUntil: (time) => this.#pauseUntil(time) });
    this.#channels = new LastingChannel(
      parts.connection,
      {
        name: brokerQueue(parts.queue),
        up: (channel, fail) => this.#up(channel, fail),
        down: (reason) => this.#down(reason),
      },
      parts.log,
    );
  }

  /** Settled when it consumes, or when the first try to get there has failed. */
  get tried(): Promise<void> {
    return this.#channels.tried;
  }

  async pause(): Promise<void> {
    this.#paused = true;
    await this.#follow();
  }

  async resume(): Promise<void> {
    this.#paused = false;
    await this.#follow();
  }

  async close(deadline?: AbortSignal): Promise<void> {
    this.#closed = true;
    if (this.#pause !== null) clearTimeout(this.#pause.timer);
    void this.#follow();
    await this.#inHand.close(deadline);
    await this.#channels.close();
  }

  ready(): string | null {
    if (this.#closed) return 'closed';
    if (!this.#wanted()) return null;
    return this.#session?.consumerTag == null ? (this.#parts.connection.why ?? this.#why) : null;
  }

  #wanted(): boolean {
    return !this.#closed && !this.#paused && this.#pause === null;
  }

  async #up(channel: Channel, fail: (reason: string) => void): Promise<void> {
    await declareTopology(channel);
    await channel.prefetch(this.#parts.concurrency);
    this.#session = { channel, consumerTag: null, ended: new AbortController(), fail };
    await this.#follow();
  }

  #down(reason: string): void {
    this.#why = reason;
    this.#session?.ended.abort();
    this.#session = null;
    this.#inHand.giveBackWaiting();
  }

  /** Has the broker deliver, or not, as is wanted now. One step at a time: a consumer that is being cancelled is not yet registered again. */
  #follow(): Promise<void> {
    this.#steps = this.#steps.then(() => this.#step());
    return this.#steps;
  }

  async #step(): Promise<void> {
    const session = this.#session;
    const wanted = this.#wanted();
    if (!wanted) this.#inHand.giveBackWaiting();
    if (session === null || wanted === (session.consumerTag !== null)) return;
    const { channel } = session;
    try {
      if (session.consumerTag === null) {
        const take = (message: ConsumeMessage | null) => this.#take(session, message);
        const { consumerTag } = await within(
          ANSWER_WITHIN_MS,
          'consume',
          channel.consume(brokerQueue(this.#parts.queue), take),
        );
        session.consumerTag = consumerTag;
      } else {
        const tag = session.consumerTag;
        session.consumerTag = null;
        await within(ANSWER_WITHIN_MS, 'cancel', channel.cancel(tag));
      }
    } catch (error) {
      session.fail(reasonOf(error));
    }
  }

  #take(session: Session, message: ConsumeMessage | null): void {
    if (message === null) {
      session.consumerTag = null;
      session.fail('the broker cancelled the consumer');
      return;
    }
    const delivery = new Delivery(session, message);
    if (this.#wanted()) this.#inHand.add(delivery);
    else delivery.giveBack();
  }

  /** Lasts as long as it looks now: a clock that is set later does not stretch it. */
  async #pauseUntil(until: Date): Promise<void> {
    const ms = Math.min(until.getTime() - this.#parts.clock.now().getTime(), LONGEST_TIMER_MS);
    if (ms <= 0 || this.#closed || (this.#pause !== null && this.#pause.until >= until.getTime())) return;
    if (this.#pause !== null) clearTimeout(this.#pause.timer);
    const timer = setTimeout(() => {
      this.#pause = null;
      void this.#follow();
    }, ms);
    this.#pause = { until: until.getTime(), timer };
    await this.#follow();
  }
}
