import { createHash } from 'node:crypto';
import { brokerQueue, QUEUE_NAMES, type QueueName } from '@call-analytics/contracts';
import type { GetMessage } from 'amqplib';
import type { DeadLetter } from '../port.ts';

const ID = 'x-dead-letter-id';
const QUEUE = 'x-dead-letter-queue';
const REASON = 'x-dead-letter-reason';
const TIME = 'x-dead-letter-time';

/** Characters. The headers of a message must fit in 64 KiB together. */
const LONGEST_REASON = 4_000;
/** Characters of a message that are shown. Replaying it sends every byte. */
const LONGEST_WIRE = 65_536;

/** The message's own headers are not kept: none of them matters to a new delivery, and a stranger's may leave no room for these. */
export function deadLetterHeaders({ id, queue, reason, deadAt }: Omit<DeadLetter, 'wire'>): Record<string, string> {
  return { [ID]: id, [QUEUE]: queue, [REASON]: reason.slice(0, LONGEST_REASON), [TIME]: deadAt.toISOString() };
}

/** @returns null for a message that does not say which queue it comes from */
export function readDeadLetter({ content, properties }: Pick<GetMessage, 'content' | 'properties'>): DeadLetter | null {
  const headers = properties.headers ?? {};
  const text = content.toString('utf8');
  const wire = text.length <= LONGEST_WIRE ? text : `${text.slice(0, LONGEST_WIRE)}… (${content.length} bytes)`;
  const queue = QUEUE_NAMES.find((name) => name === headers[QUEUE]);
  const deadAt = new Date(String(headers[TIME]));
  if (queue !== undefined && typeof headers[ID] === 'string' && !Number.isNaN(deadAt.getTime())) {
    return { id: headers[ID], queue, reason: String(headers[REASON]), deadAt, wire };
  }
  return fromBroker(headers['x-death'], content, wire);
}

/** The broker itself writes a letter when a policy tells it to, for instance of a message that was returned too often. https://www.rabbitmq.com/docs/dlx#effects */
function fromBroker(deaths: unknown, content: Buffer, wire: string): DeadLetter | null {
  if (!Array.isArray(deaths)) return null;
  for (const death of deaths) {
    const queue: QueueName | undefined = QUEUE_NAMES.find((name) => brokerQueue(name) === death?.queue);
    if (queue === undefined) continue;
    const seconds: unknown = death.time?.value;
    const deadAt = new Date(typeof seconds === 'number' ? seconds * 1_000 : 0);
    const id = createHash('sha256').update(content).update(deadAt.toISOString()).digest('hex').slice(0, 32);
    return { id, queue, reason: `the broker gave it up: ${death.reason}`, deadAt, wire };
  }
  return null;
}
