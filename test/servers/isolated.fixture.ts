import { DEAD_LETTER_QUEUE } from '@call-analytics/contracts';
import type { ServerSettings } from '../e2e/cluster.fixture.ts';
import type { Servers } from './servers.ts';

/** A database, a virtual host and a bucket for one installation, and what tests read from them directly. */
export interface IsolatedServers {
  /** For the services. */
  settings: ServerSettings;
  virtualHost: string;
  /** How many recordings are in the audio store, whole or not. */
  recordings(): Promise<number>;
  /** The broker's queues, as its management API shows them. */
  queues(): Promise<unknown>;
  /** The messages that wait in a queue, first to last; they stay there. */
  messages(queue: string): Promise<unknown[]>;
  /** The headers of each dead letter. */
  deadLetters(): Promise<string[]>;
}

/** @param removal gets what has to be removed */
export async function isolate(servers: Servers, removal: AsyncDisposableStack): Promise<IsolatedServers> {
  const [database, host, bucket] = await Promise.all([servers.database(), servers.virtualHost(), servers.bucket()]);
  for (const { remove } of [database, host, bucket]) removal.defer(remove);
  const { endPoint, port, accessKey, secretKey } = servers.addresses.s3;
  const waiting = async (queue: string) => {
    const look = { count: 100, ackmode: 'ack_requeue_true', encoding: 'auto' };
    const found = await servers.management('POST', `queues/${host.name}/${queue}/get`, look);
    return found as { payload: string; properties: { headers?: object } }[];
  };
  return {
    settings: {
      MONGODB_URL: database.url,
      RABBITMQ_URL: host.url,
      S3_URL: `http://${endPoint}:${port}`,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      S3_BUCKET: bucket.name,
    },
    virtualHost: host.name,
    recordings: bucket.count,
    queues: () => servers.management('GET', `queues/${host.name}`),
    messages: async (queue) => (await waiting(queue)).map(({ payload }) => JSON.parse(payload)),
    deadLetters: async () =>
      (await waiting(DEAD_LETTER_QUEUE)).map(({ properties }) => JSON.stringify(properties.headers)),
  };
}
