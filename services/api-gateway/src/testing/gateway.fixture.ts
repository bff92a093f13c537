import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Accounts, openAccounts, openUsers, type Users, usersSettings } from '@call-analytics/accounts';
import { type AudioStore, folderAudioStore } from '@call-analytics/audio-store';
import { type CallStore, Calls, openSqliteCallStore, type Policy } from '@call-analytics/calls';
import { makeLogger, makeMetrics, readSettings } from '@call-analytics/service-kit';
import { createGateway, type Gateway, type GatewayParts, gatewaySettings } from '../index.ts';
import { type Answer, documentedClient } from './documented.fixture.ts';

export interface Client {
  accountId: string;
  secret: string;
  headers: { authorization: string };
}

/** A gateway that listens on a port of its own, with real stores in a folder of its own. */
export interface RunningGateway {
  url: string;
  port: number;
  dir: string;
  gateway: Gateway;
  accounts: Accounts;
  users: Users;
  calls: Calls;
  /** The store behind `calls`. */
  store: CallStore;
  audioStore: AudioStore;
  /** Of an account made for it. */
  client: Client;
  /** Asks the gateway and checks the answer against its OpenAPI document. */
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** `ask` with the client's key. */
  get(path: string): Promise<Answer>;
  upload(body: FormData, headers?: Record<string, string>): Promise<Answer>;
  /** Each line of the log so far. */
  log: Record<string, unknown>[];
  newClient(name: string): Promise<Client>;
  /** Keys of everything in the audio store, whole or not. */
  recordings(): Promise<string[]>;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** Without the client and its account: nobody has used the installation yet. */
  fresh?: boolean;
  settings?: Record<string, string>;
  policy?: Partial<Policy>;
  /** Put in a store's place, built around the real one. */
  audioStore?: (real: AudioStore) => AudioStore;
  store?: (real: CallStore) => CallStore;
  /** What the gateway asks, built around the accounts that this process has. */
  accounts?: (real: Accounts) => Accounts | Promise<Accounts>;
  users?: (real: Users) => Users;
  readiness?: GatewayParts['readiness'];
  messaging?: GatewayParts['messaging'];
  liveTimes?: GatewayParts['liveTimes'];
  bounds?: GatewayParts['bounds'];
  pages?: GatewayParts['pages'];
  /** Where the recordings are kept, if not with the rest. */
  audioDir?: string;
}

export async function runGateway({
  settings = {},
  policy = {},
  audioStore: around = same,
  store: aroundStore = same,
  accounts: aroundAccounts = same,
  users: aroundUsers = same,
  audioDir,
  fresh = false,
  ...given
}: GatewayOptions = {}): Promise<RunningGateway> {
  const dir = await mkdtemp(join(tmpdir(), 'gateway-'));
  const audioStore = around(folderAudioStore({ dir: audioDir ?? join(dir, 'audio') }));
  const store = aroundStore(openSqliteCallStore({ file: join(dir, 'calls.sqlite') }));
  const calls = new Calls(store, { policy });
  const accounts = openAccounts({ file: join(dir, 'accounts.sqlite') });
  const lines: Record<string, unknown>[] = [];
  const log = makeLogger('api-gateway', 'debug', { write: (line) => lines.push(JSON.parse(line)) });
  const users = openUsers({ file: join(dir, 'accounts.sqlite'), settings: readSettings(usersSettings, settings), log });
  const metrics = makeMetrics();
  const gateway = createGateway({
    calls,
    audioStore,
    accounts: await aroundAccounts(accounts),
    users: aroundUsers(users),
    log,
    metrics,
    settings: readSettings(gatewaySettings, { PORT: '0', HOST: '127.0.0.1', ...settings }),
    ...given,
  });
  await gateway.start().catch(async (error) => {
    // As the lifecycle does with a part whose start failed.
    await gateway.stop(AbortSignal.abort());
    throw error;
  });
  const newClient = async (name: string): Promise<Client> => {
    const { account } = await accounts.createAccount({ name });
    const { secret } = await accounts.createKey({ accountId: account.id, name: 'test' });
    return { accountId: account.id, secret, headers: { authorization: `Bearer ${secret}` } };
  };
  const url = gateway.url();
  const ask = documentedClient(url);
  const client = fresh ? { accountId: '', secret: '', headers: { authorization: '' } } : await newClient('Acme');
  return {
    url,
    port: Number(new URL(url).port),
    dir,
    gateway,
    accounts,
    users,
    calls,
    store,
    audioStore,
    client,
    ask,
    get: (path) => ask(path, { headers: client.headers }),
    upload: (body, headers = {}) =>
      ask('/api/v1/calls', { method: 'POST', body, headers: { ...client.headers, ...headers } }),
    log: lines,
    newClient,
    async recordings() {
      const keys: string[] = [];
      for await (const { key } of audioStore.list()) keys.push(key);
      return keys;
    },
    metrics: () => metrics.registry.metrics(),
    async stop() {
      await gateway.stop(AbortSignal.timeout(2_000));
      await store.close();
      await users.close();
      await accounts.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function same<T>(real: T): T {
  return real;
}
