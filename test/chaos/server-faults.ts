import { setTimeout as delay } from 'node:timers/promises';
import type { NetworkProxy, OwnServers } from '../faults/faulty-servers.fixture.ts';
import type { Planned } from './plan.ts';

/** Resolves when it is over. */
export type Fault<On> = (on: On, planned: Planned) => Promise<void>;

const SERVERS = { MongoDB: 'mongodb', RabbitMQ: 'rabbitmq', MinIO: 'minio' } as const;
const NETWORK: Record<string, (network: NetworkProxy) => Promise<void>> = {
  'cannot be reached': (network) => network.swallow(),
  'is cut off in the middle of a request': (network) => network.cutAfter(1_777, 'upstream'),
  'is cut off in the middle of an answer': (network) => network.cutAfter(777, 'downstream'),
  'is reached at 10 kB a second': (network) => network.slowDown(10_000),
  'has its connections reset at random': (network) => network.reset(0.5, 200),
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
    lasting(({ mongodb }) => mongodb.network.swallow())(servers, { ...planned, forMs: LONG_OUTAGE_MS }),
  'MinIO is down': lasting(({ minio }) => minio.down()),
  'MinIO has no room': lasting(({ minio }) => minio.fill(0)),
  ...Object.fromEntries(
    Object.entries(SERVERS).flatMap(([name, server]) =>
      Object.entries(NETWORK).map(([what, begin]) => [
        `${name} ${what}`,
        lasting((servers) => begin(servers[server].network)),
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
