import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { MinioContainer } from '@testcontainers/minio';
import { RabbitMQContainer } from '@testcontainers/rabbitmq';
import { type CreatedProxy, type StartedToxiProxyContainer, ToxiProxyContainer } from '@testcontainers/toxiproxy';
import { Network, type StartedTestContainer } from 'testcontainers';
import { IMAGES } from '../servers/images.ts';
import { type IsolatedServers, isolate } from '../servers/isolated.fixture.ts';
import { makeReplicaSet, mongodbContainer } from '../servers/mongodb.ts';
import { Servers } from '../servers/servers.ts';
import { Rabbitmq } from './faulty-rabbitmq.fixture.ts';

type Toxic = Pick<Parameters<CreatedProxy['instance']['addToxic']>[0], 'type' | 'stream' | 'attributes'> & {
  toxicity?: number;
};

/**
 * The network between the services and a server. What is done to it lasts until it is healed; a server that starts
 * again is found behind the same address.
 */
export class NetworkProxy {
  readonly host: string;
  readonly port: number;
  readonly #proxy: CreatedProxy;
  #toxics: { remove(): Promise<void> }[] = [];
  #made = 0;

  constructor(proxy: CreatedProxy) {
    this.host = proxy.host;
    this.port = proxy.port;
    this.#proxy = proxy;
  }

  get address(): string {
    return `${this.host}:${this.port}`;
  }

  /** Connections end, and new ones are refused. */
  async refuse(): Promise<void> {
    await retryConnection(() => this.#proxy.setEnabled(false));
  }

  async accept(): Promise<void> {
    await retryConnection(() => this.#proxy.setEnabled(true));
  }

  /** Connections stay and new ones are taken, and nothing comes through: nobody is told. */
  async swallow(): Promise<void> {
    await this.#add({ type: 'timeout', stream: 'upstream', attributes: { timeout: 0 } });
    await this.#add({ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } });
  }

  async slowDown(bytesPerSecond: number): Promise<void> {
    const attributes = { rate: bytesPerSecond / 1_000 };
    await this.#add({ type: 'bandwidth', stream: 'upstream', attributes });
    await this.#add({ type: 'bandwidth', stream: 'downstream', attributes });
  }

  /**
   * Ends each connection when so many bytes have gone through in a direction: in the middle of whatever is on its way
   * then.
   */
  async cutAfter(bytes: number, stream: 'upstream' | 'downstream'): Promise<void> {
    await this.#add({ type: 'limit_data', stream, attributes: { bytes } });
  }

  /** Resets connections, also those that are made meanwhile. @param share of them, 0 to 1 */
  async reset(share: number, afterMs: number): Promise<void> {
    await this.#add({ type: 'reset_peer', stream: 'downstream', toxicity: share, attributes: { timeout: afterMs } });
  }

  async heal(): Promise<void> {
    await Promise.all(this.#toxics.splice(0).map((toxic) => retryConnection(() => toxic.remove())));
    await this.accept();
  }

  async #add({ toxicity = 1, ...toxic }: Toxic): Promise<void> {
    this.#made += 1;
    const name = `toxic_${this.#made}`;
    this.#toxics.push(await retryConnection(() => this.#proxy.instance.addToxic({ name, toxicity, ...toxic })));
  }
}

/** A busy machine may take longer than fetch waits for a connection: the request is then sent once more. */
async function retryConnection<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code !== 'UND_ERR_CONNECT_TIMEOUT') throw error;
    return request();
  }
}

/** @throws Error when the engine refuses */
export async function docker(...command: string[]): Promise<void> {
  await promisify(execFile)('docker', command);
}

/**
 * A server of a deployment that can be killed and started again. Its published ports change with that: whoever needs
 * the server goes through the deployment's proxies.
 */
export class Container {
  readonly #container: StartedTestContainer;

  constructor(container: StartedTestContainer) {
    this.#container = container;
  }

  /** As by kill -9. */
  async kill(): Promise<void> {
    await docker('kill', this.#container.getId());
  }

  async start(): Promise<void> {
    await docker('start', this.#container.getId());
  }

  /** Runs a command inside. @returns what it wrote. @throws Error when it fails */
  async exec(...command: string[]): Promise<string> {
    const { exitCode, output } = await this.#container.exec(command);
    if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${output}`);
    return output;
  }
}

/** The call store and the accounts' store: a replica set of one member. */
export class Mongodb {
  readonly network: NetworkProxy;
  readonly #container: Container;

  constructor(container: Container, network: NetworkProxy) {
    this.#container = container;
    this.network = network;
  }

  /** Kills the primary and starts it again. */
  async restart(): Promise<void> {
    await this.#container.kill();
    await this.#container.start();
  }

  async heal(): Promise<void> {
    await this.network.heal();
  }
}

const READY = 'http://127.0.0.1:9000/minio/health/ready';

/** The store of recordings. */
export class Minio {
  readonly network: NetworkProxy;
  readonly #container: Container;
  #isUp = true;

  constructor(container: Container, network: NetworkProxy) {
    this.#container = container;
    this.network = network;
  }

  async down(): Promise<void> {
    if (!this.#isUp) return;
    this.#isUp = false;
    // A stopped proxy connects to nothing. While it tried to reach a killed server, its own API sometimes answered 503
    // until the server was back, and every later test failed.
    await this.network.refuse();
    await this.#container.kill();
  }

  async up(): Promise<void> {
    if (this.#isUp) return;
    await this.#container.start();
    // Its port is taken before it answers there.
    await this.#container.exec('sh', '-c', `until curl -sf ${READY}; do sleep 0.1; done`);
    await this.network.accept();
    this.#isUp = true;
  }

  /** Leaves no more room than so much on the disk. */
  async fill(leaveBytes: number): Promise<void> {
    const left = Number((await this.#container.exec('df', '--output=avail', '-B1', '/data')).trim().split('\n').at(-1));
    await this.#container.exec('fallocate', '-l', String(left - leaveBytes), '/data/fill');
  }

  async makeRoom(): Promise<void> {
    await this.#container.exec('rm', '-f', '/data/fill');
  }

  async heal(): Promise<void> {
    await this.up();
    await this.network.heal();
    await this.makeRoom();
  }
}

/** Servers of an installation's own, to which everything may happen. */
export interface OwnServers extends IsolatedServers {
  mongodb: Mongodb;
  rabbitmq: Rabbitmq;
  minio: Minio;
  /** Ends everything that was done to servers and network. */
  heal(): Promise<void>;
}

/** Of the disk of recordings. */
const DISK_BYTES = 256 * 2 ** 20;

/**
 * Starts them on a network of their own. Services reach each server through a proxy that the faults are done to and
 * whose address stays when the server starts again; the tests look through proxies that nothing is done to.
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
  const services = await proxiesTo(toxiproxy, 'services', {
    mongodb: 'mongodb:27017',
    rabbitmq: 'rabbitmq:5672',
    minio: 'minio:9000',
  });
  const tests = await proxiesTo(toxiproxy, 'tests', {
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
  const isolated = await isolate(own, new AsyncDisposableStack());
  const through = {
    MONGODB_URL: isolated.settings.MONGODB_URL.replace(tests.mongodb.address, services.mongodb.address),
    S3_URL: `http://${services.minio.address}`,
  };
  const faulty = {
    mongodb: new Mongodb(new Container(mongodb), services.mongodb),
    rabbitmq: new Rabbitmq(new Container(rabbitmq), services.rabbitmq, own, isolated.virtualHost),
    minio: new Minio(new Container(minio), services.minio),
  };
  const heal = async () => void (await Promise.all(Object.values(faulty).map((server) => server.heal())));
  return { ...isolated, settings: { ...isolated.settings, ...through }, ...faulty, heal };
}

/**
 * A small disk in memory, which can be filled. It lasts for as long as a container has it: the proxy holds it while the
 * store of recordings is down.
 */
async function makeDisk(removal: AsyncDisposableStack): Promise<string> {
  const name = `recordings-${randomUUID()}`;
  const kind = ['--opt', 'type=tmpfs', '--opt', 'device=tmpfs', '--opt', `o=size=${DISK_BYTES}`];
  await docker('volume', 'create', ...kind, name);
  removal.defer(() => docker('volume', 'rm', name));
  return name;
}

async function proxiesTo<Name extends string>(
  toxiproxy: StartedToxiProxyContainer,
  of: string,
  upstreams: Record<Name, string>,
) {
  const proxies: [string, NetworkProxy][] = [];
  // One after the other: each takes the next free port.
  for (const [name, upstream] of Object.entries<string>(upstreams)) {
    proxies.push([
      name,
      new NetworkProxy(await toxiproxy.createProxy({ name: `${of}-${name}`, upstream, enabled: true })),
    ]);
  }
  return Object.fromEntries(proxies) as Record<Name, NetworkProxy>;
}
