import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { IMAGES } from './images.ts';

const PORT = 27_017;

/**
 * MongoDB as in docker-compose.yml, to be made a replica set with `makeReplicaSet` once it runs. Not testcontainers'
 * own: that one asks with mongosh every five seconds for as long as it runs, and mongosh keeps a processor busy for one
 * of them.
 */
export function mongodbContainer(): GenericContainer {
  return new GenericContainer(IMAGES.mongodb)
    .withCommand([
      'mongod',
      '--replSet',
      'rs0',
      '--bind_ip_all',
      '--setParameter',
      'minSnapshotHistoryWindowInSeconds=5',
    ])
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forLogMessage('Waiting for connections'));
}

/**
 * Makes it a replica set of one, which transactions and change streams need.
 * @returns its address, when it can be written to
 */
export async function makeReplicaSet(container: StartedTestContainer): Promise<string> {
  const url = `mongodb://${container.getHost()}:${container.getMappedPort(PORT)}/?directConnection=true`;
  const client = await MongoClient.connect(url);
  const ask = (command: object) => client.db('admin').command(command);
  await ask({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${PORT}` }] } });
  while (!(await ask({ hello: 1 })).isWritablePrimary) await delay(50);
  await client.close();
  return url;
}
