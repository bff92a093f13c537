import type { WorkError } from '@call-analytics/service-kit';
import { ChannelCredentials, Client, type ServiceError } from '@grpc/grpc-js';
import { service as healthProtocol } from 'grpc-health-check';
import type { Accounts } from '../accounts.ts';
import { isWellFormedApiKey } from '../api-key.ts';
import { accountsUnavailable } from '../refusals.ts';
import { addressOf } from './address.ts';
import { accountFrom, keyFrom } from './messages.ts';
import { accountsProtocol, MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES, type Method, type Methods, SERVICE_NAME } from './protocol.ts';
import { errorOf, NOT_LET_IN } from './refusals.ts';
import { metadataWith } from './secret.ts';
import type { TlsFiles } from './tls.ts';

/** As two versions of @grpc/proto-loader, ours and that of grpc-health-check, describe a method. */
interface UnaryMethod {
  path: string;
  requestSerialize(request: object): Buffer;
  responseDeserialize(bytes: Buffer): object;
}

/** Longer than the store behind the service takes in any state but a bad one, and short enough for a client of the API to wait for. */
const DEADLINE_MS = 2_000;

const CHANNEL = {
  'grpc.max_send_message_length': MAX_REQUEST_BYTES,
  'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
  // A machine that vanished closes nothing: without these its connection would be asked until the system gives up, minutes later.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.keepalive_permit_without_calls': 1,
  // By default it waits up to two minutes before it tries again, and 30 s before it asks for the address again, which is another one after a restart.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Every replica that the name stands for is used.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.service_config_disable_resolution': 1,
  // The service is next door: never through a proxy that the environment names for the world outside.
  'grpc.enable_http_proxy': 0,
} as const;

export interface RemoteAccountsOptions {
  /** `host:port`, `grpc://host:port`, or `grpcs://host:port` for TLS with the authorities that this machine trusts. */
  url: string;
  secret?: string | undefined;
  /** With any of these the connection is TLS. */
  tls?: TlsFiles | null;
  /** How long a call may take, in ms. */
  deadlineMs?: number;
}

/**
 * The accounts of another process. Connects with the first call, and again whenever that is needed; while there is no connection calls fail at once.
 * @throws SettingsError when `url` is no address
 */
export function remoteAccounts(options: RemoteAccountsOptions): Accounts {
  return new RemoteAccounts(options);
}

class RemoteAccounts implements Accounts {
  readonly #client: Client;
  readonly #secret: string | undefined;
  readonly #deadlineMs: number;
  #closed = false;

  constructor({ url, secret, tls = null, deadlineMs = DEADLINE_MS }: RemoteAccountsOptions) {
    const { target, isTls } = addressOf(url);
    this.#client = new Client(target, isTls || tls !== null ? tlsCredentials(tls) : ChannelCredentials.createInsecure(), CHANNEL);
    this.#secret = secret;
    this.#deadlineMs = deadlineMs;
  }

  async authenticate({ apiKey }: { apiKey: string }) {
    if (!isWellFormedApiKey(apiKey)) return null;
    return this.#call('Authenticate', { apiKey }, ({ client, refused }) => {
      if (client) return { account: accountFrom(client.account), key: keyFrom(client.key) };
      if (refused) return null;
      throw new Error('The accounts service neither opened nor refused.');
    });
  }

  createAccount({ name }: { name: string }) {
    return this.#call('CreateAccount', { name }, ({ account }) => ({ account: accountFrom(account) }));
  }

  listAccounts() {
    return this.#call('ListAccounts', {}, ({ accounts }) => ({ accounts: accounts.map(accountFrom) }));
  }

  createKey({ accountId, name }: { accountId: string; name: string }) {
    return this.#call('CreateKey', { accountId, name }, ({ key, secret }) => ({ key: keyFrom(key), secret }));
  }

  listKeys({ accountId }: { accountId: string }) {
    return this.#call('ListKeys', { accountId }, ({ keys }) => ({ keys: keys.map(keyFrom) }));
  }

  revokeKey({ accountId, keyId }: { accountId: string; keyId: string }) {
    return this.#call('RevokeKey', { accountId, keyId }, ({ revoked }) => ({ revoked }));
  }

  async ready() {
    try {
      const health = (await this.#ask(healthProtocol.Check, { service: SERVICE_NAME })) as { status: string };
      if (health.status !== 'SERVING') return 'the accounts service is not ready';
      // The health service lets everyone in. An empty key is refused without a look at the store, and only to those who are let in.
      await this.#ask(accountsProtocol.Authenticate, { apiKey: '' });
      return null;
    } catch (error) {
      const { cause } = error as WorkError;
      return (cause as Error | undefined)?.message === NOT_LET_IN ? NOT_LET_IN : 'the accounts service does not answer';
    }
  }

  async close() {
    this.#closed = true;
    this.#client.close();
  }

  async #call<M extends Method, T>(method: M, request: Methods[M]['request'], read: (response: Methods[M]['response']) => T): Promise<T> {
    const response = await this.#ask(accountsProtocol[method], request);
    try {
      return read(response as Methods[M]['response']);
    } catch (cause) {
      // Another version of the service, or something else altogether: it says nothing of what was asked.
      throw accountsUnavailable(cause);
    }
  }

  #ask(method: UnaryMethod | undefined, request: object): Promise<object> {
    return new Promise((resolve, reject) => {
      if (this.#closed || method === undefined) throw accountsUnavailable(new Error('closed'));
      const options = { deadline: Date.now() + this.#deadlineMs };
      const { path, requestSerialize, responseDeserialize } = method;
      this.#client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadataWith(this.#secret), options, done);
      function done(error: ServiceError | null, response?: object): void {
        if (error !== null) reject(errorOf(error));
        else if (response !== undefined) resolve(response);
      }
    });
  }
}

function tlsCredentials(tls: TlsFiles | null): ChannelCredentials {
  return ChannelCredentials.createSsl(tls?.ca, tls?.identity?.key, tls?.identity?.cert);
}
