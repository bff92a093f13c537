import { randomUUID } from 'node:crypto';
import { type Message, type MessageType, QUEUE_NAMES, type QueueName, queuesFor } from '@call-analytics/contracts';
import { type Clock, type Logger, type Metrics, systemClock, WorkError } from '@call-analytics/service-kit';
import type { Consumer, DeadLetter, Handler, Listener, Messaging, Subscription } from '../port.ts';
import { Broadcast } from './broadcast.ts';
import { InProcessConsumer } from './consumer.ts';
import type { Faults } from './faults.ts';
import { InProcessQueue } from './queue.ts';

/** Messages that one queue holds. Beyond it publishing fails, as on a broker without room, and what was to be told stays in the outbox. */
const QUEUE_LIMIT = 10_000;
/** Dead letters kept; the oldest make room. A broker does the same by a length limit on its dead-letter queue. */
const DEAD_LETTER_LIMIT = 1_000;

export interface InProcessMessagingOptions {
  log: Logger;
  metrics: Metrics;
  clock?: Clock;
  /** For tests. */
  faults?: Faults;
  /** The delay before a message whose handler threw is delivered again, in milliseconds. */
  redeliverAfterMs?: number;
}

/** A broker inside the process: the same promises to its users, nothing survives the process. That is safe because a message is only a hint. */
export function inProcessMessaging({
  log,
  metrics,
  clock = systemClock,
  faults = () => [{ afterMs: 0, place: 1 }],
  redeliverAfterMs,
}: InProcessMessagingOptions): Messaging {
  const queues = Object.fromEntries(QUEUE_NAMES.map((name) => [name, new InProcessQueue(name)])) as Record<
    QueueName,
    InProcessQueue
  >;
  const consumers: InProcessConsumer[] = [];
  const broadcast = new Broadcast(log);
  const deadLetters = new Map<string, DeadLetter>();
  let closed = false;

  const mustTake = (queue: InProcessQueue) => {
    if (closed) throw unavailable('Messaging is closed.');
    if (queue.depth >= QUEUE_LIMIT) throw unavailable(`The queue ${queue.name} is full.`);
  };

  const deadLetter = (queue: QueueName, wire: string, reason: string) => {
    const id = randomUUID();
    deadLetters.set(id, { id, queue, reason, deadAt: clock.now(), wire });
    log.error({ queue, deadLetterId: id, reason }, 'a message is dead');
    const [oldest] = deadLetters.keys();
    if (oldest !== undefined && deadLetters.size > DEAD_LETTER_LIMIT) deadLetters.delete(oldest);
  };

  return {
    async publish(message: Message) {
      const into = queuesFor(message.type).map((name) => queues[name]);
      for (const queue of into) mustTake(queue);
      const wire = JSON.stringify(message);
      for (const queue of into) for (const arrival of faults()) queue.put({ wire, deliveries: 0 }, arrival);
      broadcast.tell(message.type, wire);
      metrics.messagesPublished.inc({ type: message.type });
    },

    async consume(name: QueueName, handler: Handler, { concurrency }: { concurrency: number }): Promise<Consumer> {
      if (closed) throw unavailable('Messaging is closed.');
      const consumer = new InProcessConsumer({
        queue: queues[name],
        handler,
        concurrency,
        redeliverAfterMs,
        deadLetter: ({ wire }, reason) => deadLetter(name, wire, reason),
        log,
        metrics,
        clock,
      });
      consumers.push(consumer);
      return consumer;
    },

    async subscribe(types: readonly MessageType[], listener: Listener): Promise<Subscription> {
      if (closed) throw unavailable('Messaging is closed.');
      return broadcast.subscribe(types, listener);
    },

    async depth(name: QueueName) {
      return queues[name].depth;
    },

    async deadLetters(limit: number) {
      return [...deadLetters.values()].slice(0, limit);
    },

    async replay(id: string) {
      const letter = deadLetters.get(id);
      if (letter === undefined) return false;
      mustTake(queues[letter.queue]);
      deadLetters.delete(id);
      queues[letter.queue].put({ wire: letter.wire, deliveries: 0 });
      return true;
    },

    ready: () => (closed ? 'closed' : null),

    async close() {
      closed = true;
      await Promise.all(consumers.map((consumer) => consumer.close(AbortSignal.abort())));
      for (const queue of Object.values(queues)) queue.clear();
      broadcast.close();
    },
  };
}

function unavailable(message: string): WorkError {
  return new WorkError({ kind: 'transient', code: 'broker_unavailable', message });
}
