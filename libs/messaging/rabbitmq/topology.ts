import {
  brokerQueue,
  DEAD_LETTER_QUEUE,
  EXCHANGE,
  LIVE_EXCHANGE,
  QUEUE_NAMES,
  QUEUES,
} from '@call-analytics/contracts';
import type { Channel } from 'amqplib';

/** The arguments of a queue can never change: everything but its type is a policy (deploy/rabbitmq/definitions.json). */
const QUORUM = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

/** Declares everything there is; what is there already stays as it is. Each process does so on each new channel: whoever comes first finds no broker prepared. */
export async function declareTopology(channel: Channel): Promise<void> {
  await channel.assertExchange(EXCHANGE, 'topic', { durable: true });
  await declareLiveExchange(channel);
  await declareDeadLetterQueue(channel);
  for (const queue of QUEUE_NAMES) {
    await channel.assertQueue(brokerQueue(queue), QUORUM);
    for (const type of QUEUES[queue]) await channel.bindQueue(brokerQueue(queue), EXCHANGE, type);
  }
}

export async function declareDeadLetterQueue(channel: Channel): Promise<void> {
  await channel.assertQueue(DEAD_LETTER_QUEUE, QUORUM);
}

export async function declareLiveExchange(channel: Channel): Promise<void> {
  await channel.assertExchange(LIVE_EXCHANGE, 'topic', { durable: true });
}
