import { randomUUID } from 'node:crypto';
import { type Message, type MessageType, QUEUE_NAMES, type QueueName, queuesFor } from '@call-analytics/contracts';
import { type Clock, type Logger, type Metrics, systemClock, WorkError } from '@call-analytics/service-kit';
import { type ConsumerOptions, type Delivery, notify, QueueConsumer } from './consumer.ts';
import type { DeadLetter, Handler, Listener, Messaging, Subscription } from './messaging.ts';

/** The most messages of one queue. Beyond it publishing fails, as on a full broker, and events stay in the outbox. */
const QUEUE_LIMIT = 10_000;
/** The most dead letters. The oldest are dropped, as on a broker with a length limit. */
const DEAD_LETTER_LIMIT = 1_000;
const NO_FAULTS: Arrival[] = [{ afterMs: 0, place: 1 }];

interface InProcessMessagingOptions {
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  /** For tests. */
  faults?: Faults;
  /** The delay before a message whose handler threw is delivered again, in milliseconds. */
  redeliverAfterMs?: number;
}

/**
 * A broker inside the process, with the same promises to its users. Nothing survives the process, which is safe because
 * a message is only a hint.
 */
export function inProcessMessaging({
  log,
  metrics,
  clock = systemClock,
  faults = () => NO_FAULTS,
  redeliverAfterMs,
}: InProcessMessagingOptions): Messaging {
  const queues = Object.fromEntries(QUEUE_NAMES.map((name) => [name, new InProcessQueue()])) as Record<
    QueueName,
    InProcessQueue
  >;
  const shared = { redeliverAfterMs, log, metrics, clock };
  const consumers: InProcessConsumer[] = [];
  const subscribers = new Map<symbol, { types: readonly MessageType[]; listener: Listener }>();
  const deadLetters = new Map<string, DeadLetter>();
  let closed = false;

  const assertOpen = () => {
    if (closed) throw unavailable('Messaging is closed.');
  };

  const assertRoom = (name: QueueName) => {
    assertOpen();
    if (queues[name].depth >= QUEUE_LIMIT) throw unavailable(`The queue ${name} is full.`);
  };

  const addDeadLetter = (queue: QueueName, body: string, reason: string) => {
    const id = randomUUID();
    deadLetters.set(id, { id, queue, reason, deadAt: clock.now(), body });
    log.error({ queue, deadLetterId: id, reason }, 'a message was dead-lettered');
    const [oldest] = deadLetters.keys();
    if (oldest !== undefined && deadLetters.size > DEAD_LETTER_LIMIT) deadLetters.delete(oldest);
  };

  /** Each subscriber runs in its own turn of the event loop, never inside publish. */
  const broadcast = (type: MessageType, body: string) => {
    for (const [id, { types, listener }] of subscribers) {
      if (!types.includes(type)) continue;
      setImmediate(() => {
        if (subscribers.has(id)) notify(listener, () => body, log);
      });
    }
  };

  return {
    async publish(message: Message) {
      assertOpen();
      const into = queuesFor(message.type);
      for (const name of into) assertRoom(name);
      const body = JSON.stringify(message);
      for (const name of into) for (const arrival of faults()) queues[name].put({ body, deliveries: 0 }, arrival);
      broadcast(message.type, body);
      metrics.messagesPublished.inc({ type: message.type });
    },

    async consume(name, handler, { concurrency }) {
      assertOpen();
      const consumer = new InProcessConsumer({
        ...shared,
        queue: name,
        handler: handler as Handler,
        concurrency,
        waiting: queues[name],
        addDeadLetter: (body, reason) => addDeadLetter(name, body, reason),
      });
      consumers.push(consumer);
      return consumer;
    },

    async subscribe(types, listener): Promise<Subscription> {
      assertOpen();
      const id = Symbol();
      subscribers.set(id, { types, listener });
      return {
        ready: () => (subscribers.has(id) ? null : 'closed'),
        close: async () => {
          subscribers.delete(id);
        },
      };
    },

    unhandledQueues: () => QUEUE_NAMES.filter((name) => !consumers.some(({ queue }) => queue === name)),
    depth: async (name) => queues[name].depth,
    deadLetters: async (limit) => [...deadLetters.values()].slice(0, limit),

    async replay(id) {
      const letter = deadLetters.get(id);
      if (letter === undefined) return false;
      assertRoom(letter.queue);
      deadLetters.delete(id);
      queues[letter.queue].put({ body: letter.body, deliveries: 0 });
      return true;
    },

    ready: () => (closed ? 'closed' : null),

    async close() {
      closed = true;
      await Promise.all(consumers.map((consumer) => consumer.close(AbortSignal.abort())));
      for (const queue of Object.values(queues)) queue.clear();
      subscribers.clear();
    },
  };
}

/** A message that waits: its text, and how often it has been delivered. */
interface Waiting {
  body: string;
  deliveries: number;
}

interface InProcessConsumerOptions extends ConsumerOptions {
  waiting: InProcessQueue;
  addDeadLetter(body: string, reason: string): void;
}

class InProcessConsumer extends QueueConsumer<InProcessDelivery, InProcessConsumerOptions> {
  constructor(options: InProcessConsumerOptions) {
    super(options);
    options.waiting.attach(this);
  }

  ready(): string | null {
    return this.closing.signal.aborted ? 'closed' : null;
  }

  /** Whether it can take one more message now. */
  isFree(): boolean {
    return this.isOpen && this.hasRoom;
  }

  take(message: Waiting): void {
    this.accept(new InProcessDelivery(this.options.waiting, message));
  }

  protected follow(): void {
    if (this.closing.signal.aborted) this.options.waiting.detach(this);
    else this.options.waiting.wake();
  }

  protected redeliver(delivery: InProcessDelivery, afterMs: number): void {
    delivery.putBack(afterMs);
  }

  protected deadLetter(delivery: InProcessDelivery, reason: string): void {
    this.options.addDeadLetter(delivery.text(), reason);
  }
}

class InProcessDelivery implements Delivery {
  readonly number: number;
  readonly thrown: number;
  readonly #queue: InProcessQueue;
  readonly #body: string;

  constructor(queue: InProcessQueue, { body, deliveries }: Waiting) {
    this.#queue = queue;
    this.#body = body;
    this.number = deliveries + 1;
    this.thrown = deliveries;
  }

  text(): string {
    return this.#body;
  }

  ack(): void {}

  giveBack(): void {
    this.putBack(0);
  }

  putBack(afterMs: number): void {
    this.#queue.put({ body: this.#body, deliveries: this.number }, { afterMs });
  }
}

/** The messages of one queue, and the consumers that share them. */
class InProcessQueue {
  #waiting: Waiting[] = [];
  readonly #delayed = new Set<NodeJS.Timeout>();
  #consumers: InProcessConsumer[] = [];
  #pump: NodeJS.Immediate | null = null;

  /** Messages that wait, also those with a delay. */
  get depth(): number {
    return this.#waiting.length + this.#delayed.size;
  }

  /** @param place the position among the waiting messages: 0 is the front, 1 the back */
  put(message: Waiting, { afterMs = 0, place = 1 }: { afterMs?: number; place?: number } = {}): void {
    if (afterMs > 0) {
      const timer = setTimeout(() => {
        this.#delayed.delete(timer);
        this.put(message, { place });
      }, afterMs);
      this.#delayed.add(timer);
      return;
    }
    this.#waiting.splice(Math.round(place * this.#waiting.length), 0, message);
    this.wake();
  }

  attach(consumer: InProcessConsumer): void {
    this.#consumers.push(consumer);
    this.wake();
  }

  detach(consumer: InProcessConsumer): void {
    this.#consumers = this.#consumers.filter((other) => other !== consumer);
  }

  /**
   * Deliveries start in their own turn of the event loop, never inside publish. Otherwise a store that answers without
   * leaving the process would let a long queue run to its end before any socket is read.
   */
  wake(): void {
    if (this.#waiting.length === 0) return;
    this.#pump ??= setImmediate(() => {
      this.#pump = null;
      this.#deliver();
    });
  }

  clear(): void {
    if (this.#pump !== null) clearImmediate(this.#pump);
    this.#pump = null;
    for (const timer of this.#delayed) clearTimeout(timer);
    this.#delayed.clear();
    this.#waiting = [];
  }

  #deliver(): void {
    for (;;) {
      const consumer = this.#consumers.find((one) => one.isFree());
      if (consumer === undefined) return;
      const message = this.#waiting.shift();
      if (message === undefined) return;
      consumer.take(message);
    }
  }
}

function unavailable(message: string): WorkError {
  return new WorkError({ kind: 'transient', code: 'broker_unavailable', message });
}

// What a broker and its network may do to messages on their way, for tests. Given in code alone: no setting leads here.

/** One copy of a message on its way into a queue. */
export interface Arrival {
  afterMs: number;
  /** Where among the waiting messages it lands: 0 is the front, 1 the back. */
  place: number;
}

/**
 * Asked once per queue that a published message goes to.
 * @returns the copies that arrive: none when the message is lost, two when it is duplicated
 */
export type Faults = () => Arrival[];
