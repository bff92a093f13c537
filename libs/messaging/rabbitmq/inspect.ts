import { brokerQueue, DEAD_LETTER_QUEUE, QUEUE_NAMES } from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import {
  closeQuietly,
  type LiveConnection,
  RESPONSE_WITHIN_MS,
  RecoveringConnection,
  reasonOf,
  unavailable,
  unavailableBecause,
  withDeadline,
} from './connection.ts';
import { QUORUM } from './publisher.ts';

/** Reply codes: https://www.rabbitmq.com/amqp-0-9-1-reference#constants */
const NOT_FOUND = 404;
const PRECONDITION_FAILED = 406;

interface BrokerFacts {
  /** Of the server, such as `4.1.4`. */
  version: string;
  missingQueues: string[];
  /** Queues with other arguments than the services declare, which they cannot use, each with the broker's words. */
  differentQueues: { queue: string; difference: string }[];
}

/**
 * Looks at the broker and changes nothing. AMQP shows neither policies nor bindings.
 * @throws WorkError `transient` `broker_unavailable`
 */
export async function inspectBroker(url: string, log: Logger): Promise<BrokerFacts> {
  const connection = new RecoveringConnection({ url, name: 'ops: inspecting', log });
  try {
    await connection.attempted;
    const { live, why } = connection;
    if (live === null) throw unavailable(why ?? 'the connection ended');
    const facts: BrokerFacts = { version: live.version, missingQueues: [], differentQueues: [] };
    for (const queue of [...QUEUE_NAMES.map(brokerQueue), DEAD_LETTER_QUEUE]) {
      const error = await errorOf(live, queue);
      if (error === null) continue;
      if (error.code === NOT_FOUND) facts.missingQueues.push(queue);
      else if (error.code === PRECONDITION_FAILED)
        facts.differentQueues.push({ queue, difference: differenceIn(reasonOf(error)) });
      else throw unavailableBecause(error);
    }
    return facts;
  } finally {
    await connection.close();
  }
}

/** @returns the broker's error about a queue. An error closes its channel, so each queue gets one of its own. */
async function errorOf(live: LiveConnection, queue: string): Promise<(Error & { code?: unknown }) | null> {
  const channel = await withDeadline(RESPONSE_WITHIN_MS, 'opening a channel', live.model.createChannel());
  channel.on('error', () => {});
  try {
    // Ignores the arguments, and creates nothing: the declaration behind it is of a queue that is there.
    await withDeadline(RESPONSE_WITHIN_MS, 'looking at a queue', channel.checkQueue(queue));
    await withDeadline(RESPONSE_WITHIN_MS, 'declaring a queue', channel.assertQueue(queue, QUORUM));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(reasonOf(error));
  } finally {
    await closeQuietly(channel, live);
  }
}

/** @returns such as `inequivalent arg 'durable' for queue 'calls.cleanup' in vhost '/': received 'true' but …` */
function differenceIn(message: string): string {
  return /PRECONDITION_FAILED - ([^"]+)/.exec(message)?.[1] ?? message;
}
