import { DEAD_LETTER_QUEUE } from '@call-analytics/contracts';
import type { ServerSettings } from '../e2e/cluster.ts';
import type { Servers } from '../servers/servers.ts';

/** A database, a virtual host and a bucket for one installation, and what can be asked of them behind the services' backs. */
export interface Corner {
  /** For the services. */
  settings: ServerSettings;
  virtualHost: string;
  /** How many recordings there are, whole or not. */
  recordings(): Promise<number>;
  /** What the broker's dead letters say of themselves. */
  deadLetters(): Promise<string[]>;
}

/** @param removal gets what has to be removed */
export async function cornerOf(servers: Servers, removal: AsyncDisposableStack): Promise<Corner> {
  const [database, host, bucket] = await Promise.all([servers.database(), servers.virtualHost(), servers.bucket()]);
  for (const { remove } of [database, host, bucket]) removal.defer(remove);
  const { endPoint, port, accessKey, secretKey } = servers.addresses.s3;
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
    async deadLetters() {
      const look = { count: 100, ackmode: 'ack_requeue_true', encoding: 'auto' };
      const letters = await servers.management('POST', `queues/${host.name}/${DEAD_LETTER_QUEUE}/get`, look);
      return (letters as { properties: { headers?: object } }[]).map(({ properties }) =>
        JSON.stringify(properties.headers),
      );
    },
  };
}
