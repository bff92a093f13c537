import { setTimeout as delay } from 'node:timers/promises';
import type { OwnServers } from '../faults/servers.ts';
import type { Wire } from '../faults/wire.ts';
import type { Planned } from './plan.ts';

/** Resolves when it is over. */
export type Fault<On> = (on: On, planned: Planned) => Promise<void>;

const SERVERS = { MongoDB: 'mongodb', RabbitMQ: 'rabbitmq', MinIO: 'minio' } as const;
const NETWORK: Record<string, (wire: Wire) => Promise<void>> = {
  'cannot be reached': (wire) => wire.swallow(),
  'is cut off in the middle of a request': (wire) => wire.cutAfter(1_777, 'upstream'),
  'is cut off in the middle of an answer': (wire) => wire.cutAfter(777, 'downstream'),
  'is reached at 10 kB a second': (wire) => wire.slowDown(10_000),
  'has its connections reset at random': (wire) => wire.reset(0.5, 200),
};
/** An outage that nobody can sit out with one time-out. */
const LONG_OUTAGE_MS = 30_000;

/** What may happen to the servers and on the way to them. */
export const SERVER_FAULTS: Record<string, Fault<OwnServers>> = {
  'RabbitMQ is killed and starts again': ({ rabbitmq }) => rabbitmq.restart(),
  'RabbitMQ loses the messages of all queues': ({ rabbitmq }) => rabbitmq.purge(),
  'RabbitMQ has no memory': lasting(({ rabbitmq }) => rabbitmq.alarm(true)),
  'RabbitMQ closes all connections': ({ rabbitmq }) => rabbitmq.closeConnections(),
  'RabbitMQ closes the channels of slow consumers': lasting(({ rabbitmq }) => rabbitmq.closeChannelsAfter(400)),
  'RabbitMQ cancels all consumers': ({ rabbitmq }) => rabbitmq.cancelConsumers(),
  'MongoDB is killed and starts again': ({ mongodb }) => mongodb.restart(),
  'MongoDB cannot be reached for long': (servers, planned) =>
    lasting(({ mongodb }) => mongodb.wire.swallow())(servers, { ...planned, forMs: LONG_OUTAGE_MS }),
  'MinIO is down': lasting(({ minio }) => minio.down()),
  'MinIO has no room': lasting(({ minio }) => minio.fill(0)),
  ...Object.fromEntries(
    Object.entries(SERVERS).flatMap(([name, server]) =>
      Object.entries(NETWORK).map(([what, begin]) => [
        `${name} ${what}`,
        lasting((servers) => begin(servers[server].wire)),
      ]),
    ),
  ),
};

function lasting(begin: (servers: OwnServers) => Promise<void>): Fault<OwnServers> {
  return async (servers, { forMs }) => {
    await begin(servers);
    await delay(forMs);
    await servers.heal();
  };
}
