import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteAccounts } from '@call-analytics/accounts/grpc';
import { type IsolatedServers, isolate } from '../servers/isolated.fixture.ts';
import type { Servers } from '../servers/servers.ts';
import { until } from '../until.fixture.ts';
import { Client } from './client.fixture.ts';
import { ServiceProcess, type Start } from './process.fixture.ts';

export const SERVICES = ['accounts', 'api-gateway', 'dispatcher', 'transcription', 'analysis', 'cleanup'] as const;
/** The pages are started by who asks for them: they have to be built. */
export type ServiceName = (typeof SERVICES)[number] | 'web';

/** Where the services find their servers, as they take it from the environment. */
export interface ServerSettings {
  MONGODB_URL: string;
  RABBITMQ_URL: string;
  S3_URL: string;
  S3_ACCESS_KEY: string;
  S3_SECRET_KEY: string;
  S3_BUCKET: string;
}

/** One running copy of a service. */
export class Member {
  readonly service: ServiceName;
  readonly settings: Record<string, string>;
  readonly process: ServiceProcess;
  readonly #opsPort: number;

  constructor(service: ServiceName, settings: Record<string, string>, opsPort: number) {
    this.service = service;
    this.settings = settings;
    this.#opsPort = opsPort;
    this.process = new ServiceProcess(service, { ...settings, OPS_HOST: '127.0.0.1', OPS_PORT: String(opsPort) });
  }

  /**
   * Starts the process. @returns when it can work
   * @throws Error with what it said when it ended, or cannot work after a minute
   */
  async start(options: Start = {}): Promise<void> {
    await this.launch(options);
    let missing: string | null = null;
    const isReady = async () => {
      missing = await this.readiness();
      return missing === null || !this.process.running;
    };
    const failed = (reason: string) => {
      const said = this.process.log.slice(-5).map((line) => JSON.stringify(line));
      return new Error([`${this.service}: ${reason}`, missing, ...said, this.process.errors].join('\n'));
    };
    await until(isReady, 'it is ready', 60_000).catch(({ message }: Error) => {
      throw failed(message);
    });
    if (!this.process.running) throw failed('it ended before it was ready');
  }

  /** Starts the process without waiting until it can work. */
  async launch(options: Start = {}): Promise<void> {
    // The first line says that the process is up; whether it can work is asked of it.
    await this.process.start(options, () => true);
  }

  kill(signal?: NodeJS.Signals) {
    return this.process.kill(signal);
  }

  /** @returns null when it can work, otherwise why not */
  async readiness(): Promise<string | null> {
    const response = await fetch(`http://127.0.0.1:${this.#opsPort}/readyz`).catch(() => null);
    if (response === null) return 'no answer';
    return response.ok ? null : response.text();
  }

  /** @returns what /readyz says does not answer although the process can work */
  async degraded(): Promise<string[]> {
    const response = await fetch(`http://127.0.0.1:${this.#opsPort}/readyz`);
    return ((await response.json()) as { degraded?: string[] }).degraded ?? [];
  }

  /** @returns the text of /metrics */
  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.#opsPort}/metrics`)).text();
  }
}

/** The services of one installation, each in processes of its own, on real servers. */
export class Cluster {
  readonly members: Member[] = [];
  readonly url: string;
  readonly #settings: Record<string, string>;
  readonly #workDir: string;
  readonly #accounts: { url: string; secret: string };
  readonly #accountIds = new Map<Client, string>();

  private constructor(
    settings: Record<string, string>,
    workDir: string,
    url: string,
    accounts: { url: string; secret: string },
  ) {
    this.#settings = settings;
    this.#workDir = workDir;
    this.url = url;
    this.#accounts = accounts;
  }

  /** Prepares an installation; nothing is started yet. @param settings for all services, beside those of the servers */
  static async make(servers: ServerSettings, settings: Record<string, string>): Promise<Cluster> {
    const [port, accountsPort] = [await freePort(), await freePort()];
    const workDir = await mkdtemp(join(tmpdir(), 'cluster-'));
    const accounts = { url: `127.0.0.1:${accountsPort}`, secret: randomBytes(24).toString('hex') };
    const all = {
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: String(port),
      ACCOUNTS_GRPC_HOST: '127.0.0.1',
      ACCOUNTS_GRPC_PORT: String(accountsPort),
      ACCOUNTS_URL: accounts.url,
      ACCOUNTS_SECRET: accounts.secret,
      WORK_DIR: workDir,
      ...servers,
      ...settings,
    };
    return new Cluster(all, workDir, `http://127.0.0.1:${port}`, accounts);
  }

  /** Starts one copy of every service. */
  async start(starts: Partial<Record<ServiceName, Start>> = {}): Promise<void> {
    await Promise.all(SERVICES.map((service) => this.add(service, starts[service])));
  }

  /** Starts one more copy of a service. */
  async add(service: ServiceName, options: Start = {}): Promise<Member> {
    const member = await this.prepare(service);
    await member.start(options);
    return member;
  }

  /** A copy that is not started yet. */
  async prepare(service: ServiceName, settings: Record<string, string> = {}): Promise<Member> {
    const member = new Member(service, { ...this.#settings, ...settings }, await freePort());
    this.members.push(member);
    return member;
  }

  /** @returns the first copy of a service */
  member(service: ServiceName): Member {
    const found = this.members.find((member) => member.service === service);
    if (found === undefined) throw new Error(`no ${service} was started`);
    return found;
  }

  /** Makes an account. @returns a client with its key */
  async client(name = 'Acme'): Promise<Client> {
    const accounts = remoteAccounts(this.#accounts);
    const { account } = await accounts.createAccount({ name });
    const { secret } = await accounts.createKey({ accountId: account.id, name: 'test' });
    await accounts.close();
    const client = new Client(() => this.url, secret);
    this.#accountIds.set(client, account.id);
    return client;
  }

  /** Gives a client a new key, and revokes those that its account had before. @throws when a service does not answer */
  async rotateKey(client: Client): Promise<void> {
    const accountId = this.#accountIds.get(client) ?? '';
    const accounts = remoteAccounts(this.#accounts);
    try {
      const { key, secret } = await accounts.createKey({ accountId, name: 'rotated' });
      client.key = secret;
      const { keys } = await accounts.listKeys({ accountId });
      const others = keys.filter(({ id, revokedAt }) => id !== key.id && revokedAt === null);
      await Promise.all(others.map(({ id }) => accounts.revokeKey({ accountId, keyId: id })));
    } finally {
      await accounts.close();
    }
  }

  /** Log lines of all copies of a service, or of all services. */
  log(service?: ServiceName): Record<string, unknown>[] {
    return this.members
      .filter((member) => service === undefined || member.service === service)
      .flatMap(({ process }) => process.log);
  }

  /** Stops everything, whatever state it is in. */
  async remove(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    await rm(this.#workDir, { recursive: true, force: true });
  }
}

/** A cluster with a database, a virtual host and a bucket of its own on the shared servers. */
export interface ClusterInstallation {
  cluster: Cluster;
  servers: IsolatedServers;
  /** Stops the services and removes everything. */
  remove(): Promise<void>;
}

export async function clusterOn(shared: Servers, settings: Record<string, string>): Promise<ClusterInstallation> {
  const removal = new AsyncDisposableStack();
  const servers = await isolate(shared, removal);
  const cluster = await Cluster.make(servers.settings, settings);
  removal.defer(() => cluster.remove());
  return { cluster, servers, remove: () => removal.disposeAsync() };
}

/**
 * Below the ports that the system gives to connections and to those who ask for any: a service that is started again
 * later must find its own still free. Each worker of Jest has ports of its own.
 */
const FIRST_PORT = 20_000 + 2_000 * (Number(process.env.JEST_WORKER_ID ?? 0) % 6);
const givenPorts = new Set<number>();

/** @returns a port that nothing listens on, another one each time: a service may take its own seconds later */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, FIRST_PORT + 2_000);
    if (givenPorts.has(port)) continue;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    givenPorts.add(port);
    server.close();
    await once(server, 'close');
    return port;
  }
}
