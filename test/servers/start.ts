import { execFileSync } from 'node:child_process';
import { MinioContainer } from '@testcontainers/minio';
import { RabbitMQContainer } from '@testcontainers/rabbitmq';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import { type Addresses, tellTests } from './addresses.ts';
import { IMAGES } from './images.ts';
import { makeReplicaSet, mongodbContainer } from './mongodb.ts';

/** The containers that `stop.ts` stops. Both files run in jest's own process. */
export const started: StartedTestContainer[] = [];

/**
 * Starts RabbitMQ, MongoDB (a replica set) and MinIO in containers, once for all tests that need them. Where that is
 * not possible, those tests are skipped with the reason; with SERVERS=required missing images are pulled, and the rest
 * is an error.
 */
export default async function start(): Promise<void> {
  // No test stops these, so that they may keep their data in memory, where writes do not wait for the disk.
  await startServers('memory');
}

/** @param keep where they keep their data: the uploads of a benchmark do not fit into memory */
export async function startServers(keep: 'memory' | 'disk'): Promise<void> {
  // The tests stop what they start; the container that would otherwise do it is one more image to pull.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
  const missing = whatIsMissing();
  if (missing !== null) {
    if (process.env.SERVERS === 'required') throw new Error(`the tests with real servers cannot run: ${missing}`);
    process.stderr.write(`The tests with real servers are skipped: ${missing}.\n`);
    tellTests({ missing });
    return;
  }
  const data = <T extends GenericContainer>(container: T, folder: string) =>
    keep === 'memory' ? container.withTmpFs({ [folder]: 'rw' }) : container;
  const [mongodb, rabbitmq, minio] = await Promise.all([
    kept(data(mongodbContainer(), '/data/db').start()),
    kept(data(new RabbitMQContainer(IMAGES.rabbitmq), '/var/lib/rabbitmq').start()),
    kept(data(new MinioContainer(IMAGES.minio), '/data').start()),
  ]);
  const addresses: Addresses = {
    mongodb: await makeReplicaSet(mongodb),
    rabbitmq: rabbitmq.getAmqpUrl(),
    rabbitmqManagement: `http://${rabbitmq.getHost()}:${rabbitmq.getMappedPort(15672)}`,
    s3: {
      endPoint: minio.getHost(),
      port: minio.getPort(),
      accessKey: minio.getUsername(),
      secretKey: minio.getPassword(),
    },
  };
  tellTests({ addresses });
}

async function kept<T extends StartedTestContainer>(starting: Promise<T>): Promise<T> {
  const container = await starting;
  started.push(container);
  return container;
}

function whatIsMissing(): string | null {
  const docker = (...args: string[]) => execFileSync('docker', args, { stdio: 'ignore', timeout: 10_000 });
  try {
    docker('info');
  } catch {
    return 'no Docker engine answers';
  }
  if (process.env.SERVERS === 'required') return null;
  // A test run does not begin by pulling a gigabyte that nobody asked for.
  for (const image of [IMAGES.mongodb, IMAGES.rabbitmq, IMAGES.minio]) {
    try {
      docker('image', 'inspect', image);
    } catch {
      return `the image ${image} is not on this machine; npm run test:integration pulls it`;
    }
  }
  return null;
}
