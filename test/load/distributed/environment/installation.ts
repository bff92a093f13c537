import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { remoteAccounts } from '@call-analytics/accounts/grpc';
import type { Client as S3 } from 'minio';
import { told } from '../../../servers/addresses.ts';
import { Servers } from '../../../servers/servers.ts';
import { started, startServers } from '../../../servers/start.ts';
import type { Workspace } from '../../harness/workspace.ts';

export type ServiceName = 'accounts' | 'api-gateway' | 'dispatcher' | 'transcription' | 'analysis' | 'cleanup';

export interface RunningService {
  pid: number;
  stop(): Promise<void>;
}

/** What the services are told of their servers, and what of that a floor needs too. */
export type Environment = Record<
  | 'MONGODB_URL'
  | 'RABBITMQ_URL'
  | 'S3_URL'
  | 'S3_ACCESS_KEY'
  | 'S3_SECRET_KEY'
  | 'S3_BUCKET'
  | 'ACCOUNTS_URL'
  | 'ACCOUNTS_SECRET'
  | 'WORK_DIR',
  string
>;

/** A database, virtual host and bucket of its own, and services started on them: each the program that is deployed. */
export class Installation {
  readonly environment: Environment;
  readonly s3: S3;
  readonly url: string;
  readonly #workspace: Workspace;
  readonly #ports: { gateway: number; accounts: number };
  readonly #removals: (() => Promise<void>)[];

  private constructor(
    workspace: Workspace,
    environment: Environment,
    s3: S3,
    ports: { gateway: number; accounts: number },
    removals: (() => Promise<void>)[],
  ) {
    this.#workspace = workspace;
    this.environment = environment;
    this.s3 = s3;
    this.#ports = ports;
    this.url = `http://127.0.0.1:${ports.gateway}`;
    this.#removals = removals;
  }

  static async make(workspace: Workspace): Promise<Installation> {
    const servers = await benchServers();
    const [database, host, bucket] = await Promise.all([servers.database(), servers.virtualHost(), servers.bucket()]);
    const { endPoint, port, accessKey, secretKey } = servers.addresses.s3;
    const ports = { gateway: await freePort(), accounts: await freePort() };
    const environment = {
      MONGODB_URL: database.url,
      RABBITMQ_URL: host.url,
      S3_URL: `http://${endPoint}:${port}`,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      S3_BUCKET: bucket.name,
      ACCOUNTS_URL: `127.0.0.1:${ports.accounts}`,
      ACCOUNTS_SECRET: randomBytes(24).toString('hex'),
      WORK_DIR: workspace.folder('work'),
    };
    return new Installation(workspace, environment, bucket.s3, ports, [database.remove, host.remove, bucket.remove]);
  }

  /** @param service its folder in services. @returns when it can work */
  async start(service: ServiceName, settings: Record<string, string> = {}): Promise<RunningService> {
    const opsPort = await freePort();
    // In production the log goes to a file or a pipe, and so it does here.
    const log = openSync(join(this.#workspace.dir, 'log'), 'a');
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL(`../../../../services/${service}/src/main.ts`, import.meta.url))],
      {
        stdio: ['ignore', log, 'inherit'],
        env: {
          PATH: process.env.PATH,
          ...this.environment,
          HOST: '127.0.0.1',
          PORT: String(this.#ports.gateway),
          ACCOUNTS_GRPC_PORT: String(this.#ports.accounts),
          OPS_HOST: '127.0.0.1',
          OPS_PORT: String(opsPort),
          ...settings,
        },
      },
    );
    closeSync(log);
    this.#workspace.adopt(child);
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${service} ended before it was ready (${child.exitCode})`);
      const ready = await fetch(`http://127.0.0.1:${opsPort}/readyz`).catch(() => null);
      if (ready?.ok) break;
      await delay(50);
    }
    return {
      pid: child.pid ?? Number.NaN,
      async stop() {
        child.kill('SIGTERM');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      },
    };
  }

  /** Needs the accounts service. */
  async account(name = 'Acme'): Promise<{ accountId: string; key: string }> {
    const accounts = remoteAccounts({ url: this.environment.ACCOUNTS_URL, secret: this.environment.ACCOUNTS_SECRET });
    const { account } = await accounts.createAccount({ name });
    const { secret } = await accounts.createKey({ accountId: account.id, name: 'bench' });
    await accounts.close();
    return { accountId: account.id, key: secret };
  }

  /** The finished ones; fewer than a thousand. */
  async removeRecordings(): Promise<void> {
    const bucket = this.environment.S3_BUCKET;
    const names: string[] = [];
    for await (const { name } of this.s3.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>)
      names.push(name);
    await this.s3.removeObjects(bucket, names);
  }

  /** To be called when no process uses it any more. */
  async remove(): Promise<void> {
    await Promise.all(this.#removals.map((remove) => remove()));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** @returns the process of each server by its image, as far as this machine runs the containers itself */
export function serverPids(): [image: string, pid: number][] {
  const ids = started.map((container) => container.getId());
  const format = '{{.Config.Image}} {{.State.Pid}}';
  const lines = execFileSync('docker', ['inspect', '--format', format, ...ids], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const found = lines.map((line): [string, number] => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]);
  return found.filter(([, pid]) => existsSync(`/proc/${pid}/stat`));
}

let servers: Promise<Servers> | null = null;

/**
 * RabbitMQ, MongoDB and MinIO in containers of the benchmarks. The first measure that needs them starts them, and they
 * end with the process in every case.
 */
function benchServers(): Promise<Servers> {
  servers ??= ownServers();
  return servers;
}

async function ownServers(): Promise<Servers> {
  // Nothing can be measured without them: an image that is missing is pulled.
  process.env.SERVERS = 'required';
  // A signal ends the bench at once, so this cannot wait for anything.
  process.once('exit', () => {
    const ids = started.map((container) => container.getId());
    if (ids.length > 0) execFileSync('docker', ['rm', '--force', '--volumes', ...ids], { stdio: 'ignore' });
  });
  await startServers('disk');
  const known = told();
  if ('missing' in known) throw new Error(known.missing);
  return new Servers(known.addresses);
}
