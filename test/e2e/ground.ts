import type { Servers } from '../servers/index.ts';
import { Cluster } from './cluster.ts';

/** A cluster with its own corner of the shared servers: a database, a virtual host and a bucket. */
export interface Ground {
  cluster: Cluster;
  /** How many recordings are in the audio store, whole or not. */
  recordings(): Promise<number>;
  /** The broker's queues, as its management shows them. */
  queues(): Promise<unknown>;
  /** The messages that wait in a queue, first to last; they stay there. */
  messages(queue: string): Promise<unknown[]>;
  /** Stops the services and removes everything. */
  remove(): Promise<void>;
}

export async function clusterOn(servers: Servers, settings: Record<string, string>): Promise<Ground> {
  const [database, host, bucket] = await Promise.all([servers.database(), servers.virtualHost(), servers.bucket()]);
  const { endPoint, port, accessKey, secretKey } = servers.addresses.s3;
  const where = {
    MONGODB_URL: database.url,
    RABBITMQ_URL: host.url,
    S3_URL: `http://${endPoint}:${port}`,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
    S3_BUCKET: bucket.name,
  };
  const cluster = await Cluster.make(where, settings);
  return {
    cluster,
    recordings: () => bucket.count(),
    queues: () => servers.management('GET', `queues/${host.name}`),
    async messages(queue) {
      const how = { count: 100, ackmode: 'ack_requeue_true', encoding: 'auto' };
      const waiting = (await servers.management('POST', `queues/${host.name}/${queue}/get`, how)) as {
        payload: string;
      }[];
      return waiting.map(({ payload }) => JSON.parse(payload));
    },
    async remove() {
      await cluster.remove();
      await Promise.all([database.remove(), host.remove(), bucket.remove()]);
    },
  };
}
