import { randomUUID } from 'node:crypto';
import { MinioContainer } from '@testcontainers/minio';
import { RabbitMQContainer } from '@testcontainers/rabbitmq';
import { type StartedToxiProxyContainer, ToxiProxyContainer } from '@testcontainers/toxiproxy';
import { Network, type StartedTestContainer } from 'testcontainers';
import { IMAGES } from '../servers/images.ts';
import { makeReplicaSet, mongodbContainer } from '../servers/mongodb.ts';
import { Servers } from '../servers/servers.ts';
import { Container, docker } from './container.ts';
import { type Corner, cornerOf } from './corner.ts';
import { Minio } from './minio.ts';
import { Mongodb } from './mongodb.ts';
import { Rabbitmq } from './rabbitmq.ts';
import { Wire } from './wire.ts';

/** Servers of an installation's own, to which everything may happen. */
export interface OwnServers extends Corner {
  mongodb: Mongodb;
  rabbitmq: Rabbitmq;
  minio: Minio;
  /** Ends everything that was done to servers and network. */
  heal(): Promise<void>;
}

/** Of the disk of recordings. */
const DISK_BYTES = 256 * 2 ** 20;

/**
 * Starts them on a network of their own. Services reach each server through a proxy, which the faults of the network are done to, and which knows the server by its name:
 * addresses stay, whatever starts again. The tests look through proxies of their own, which nothing is done to.
 * @param removal gets what has to be stopped
 */
export async function startServers(removal: AsyncDisposableStack): Promise<OwnServers> {
  // The tests stop what they start; the container that would otherwise do it is one more image to pull.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
  const network = await new Network().start();
  removal.defer(async () => void (await network.stop()));
  const started = async <T extends StartedTestContainer>(starting: Promise<T>): Promise<T> => {
    const container = await starting;
    removal.defer(async () => void (await container.stop({ timeout: 0 })));
    return container;
  };
  const disk = await makeDisk(removal);
  const [toxiproxy, mongodb, rabbitmq, minio] = await Promise.all([
    started(
      new ToxiProxyContainer(IMAGES.toxiproxy)
        .withBindMounts([{ source: disk, target: '/held' }])
        .withNetwork(network)
        .start(),
    ),
    started(mongodbContainer().withNetwork(network).withNetworkAliases('mongodb').start()),
    started(new RabbitMQContainer(IMAGES.rabbitmq).withNetwork(network).withNetworkAliases('rabbitmq').start()),
    started(
      new MinioContainer(IMAGES.minio)
        .withBindMounts([{ source: disk, target: '/data' }])
        .withNetwork(network)
        .withNetworkAliases('minio')
        .start(),
    ),
  ]);
  await makeReplicaSet(mongodb);
  const services = await wiresTo(toxiproxy, 'services', {
    mongodb: 'mongodb:27017',
    rabbitmq: 'rabbitmq:5672',
    minio: 'minio:9000',
  });
  const tests = await wiresTo(toxiproxy, 'tests', {
    mongodb: 'mongodb:27017',
    management: 'rabbitmq:15672',
    minio: 'minio:9000',
  });

  const own = new Servers({
    mongodb: `mongodb://${tests.mongodb.address}/?directConnection=true`,
    rabbitmq: `amqp://guest:guest@${services.rabbitmq.address}`,
    rabbitmqManagement: `http://${tests.management.address}`,
    s3: {
      endPoint: tests.minio.host,
      port: tests.minio.port,
      accessKey: minio.getUsername(),
      secretKey: minio.getPassword(),
    },
  });
  // What is in it goes with the servers.
  const corner = await cornerOf(own, new AsyncDisposableStack());
  const through = {
    MONGODB_URL: corner.settings.MONGODB_URL.replace(tests.mongodb.address, services.mongodb.address),
    S3_URL: `http://${services.minio.address}`,
  };
  const faulty = {
    mongodb: new Mongodb(new Container(mongodb), services.mongodb),
    rabbitmq: new Rabbitmq(new Container(rabbitmq), services.rabbitmq, own, corner.virtualHost),
    minio: new Minio(new Container(minio), services.minio),
  };
  const heal = async () => void (await Promise.all(Object.values(faulty).map((server) => server.heal())));
  return { ...corner, settings: { ...corner.settings, ...through }, ...faulty, heal };
}

/** A small disk in memory, which can be filled. It lasts for as long as a container has it: the proxy holds it while the store of recordings is down. */
async function makeDisk(removal: AsyncDisposableStack): Promise<string> {
  const name = `recordings-${randomUUID()}`;
  const kind = ['--opt', 'type=tmpfs', '--opt', 'device=tmpfs', '--opt', `o=size=${DISK_BYTES}`];
  await docker('volume', 'create', ...kind, name);
  removal.defer(() => docker('volume', 'rm', name));
  return name;
}

async function wiresTo<Name extends string>(
  toxiproxy: StartedToxiProxyContainer,
  of: string,
  upstreams: Record<Name, string>,
) {
  const wires: [string, Wire][] = [];
  // One after the other: each takes the next free port.
  for (const [name, upstream] of Object.entries<string>(upstreams)) {
    wires.push([name, new Wire(await toxiproxy.createProxy({ name: `${of}-${name}`, upstream, enabled: true }))]);
  }
  return Object.fromEntries(wires) as Record<Name, Wire>;
}
