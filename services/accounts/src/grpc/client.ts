import {
  type CircuitBreaker,
  circuitBreaker,
  type Logger,
  type Metrics,
  WorkError,
  withCircuitBreaker,
} from '@call-analytics/service-kit';
import { ChannelCredentials, Client, type ServiceError } from '@grpc/grpc-js';
import type { ServiceDefinition } from '@grpc/proto-loader';
import { service as healthProtocol } from 'grpc-health-check';
import type { Accounts, Users } from '../accounts.ts';
import { type CachedAccounts, cachedAccounts, keepWatching, type RevocationSource } from '../cached-accounts.ts';
import { isWellFormedApiKey } from '../records.ts';
import { accountsUnavailable, isOutage, UNAVAILABLE } from '../refusals.ts';
import { type AccountsClientSettings, addressOf } from '../settings.ts';
import { ACCOUNTS_METHODS, type AnyRow, USERS_METHODS } from './methods.ts';
import {
  accountsProtocol,
  errorOf,
  MAX_REQUEST_BYTES,
  MAX_RESPONSE_BYTES,
  metadataWith,
  readTlsFiles,
  SERVICE_NAME,
  type TlsFiles,
  usersProtocol,
  WRONG_SECRET,
} from './protocol.ts';

/** Added to the client's deadline, so that the error comes from the client, which knows the cause. */
const BEYOND_MS = 500;

/**
 * The accounts service that the settings name, behind its circuit breaker and with a cache of valid keys.
 * @throws SettingsError when a file that the settings name cannot be used
 */
export function connectAccounts(settings: AccountsClientSettings, about: About): CachedAccounts {
  const remote = remoteAccounts(remoteOf(settings));
  return cachedAccounts(remote, {
    ttlMs: settings.AUTH_CACHE_TTL,
    revocations: remote,
    breaker: breakerOf('accounts', settings, about),
  });
}

/**
 * The users of that service, behind a circuit breaker of their own: slow passwords must not turn away API keys. Nothing
 * is cached, so that a sign-out or a removal takes effect at once.
 * @param accounts forget their cached keys after each request that revokes keys
 * @throws SettingsError when a file that the settings name cannot be used
 */
export function connectUsers(
  settings: AccountsClientSettings,
  about: About,
  accounts: Pick<CachedAccounts, 'forgetKeys'>,
): Users {
  return forgettingKeys(
    withCircuitBreaker(remoteUsers(remoteOf(settings)), breakerOf('users', settings, about), { close: 'direct' }),
    accounts,
  );
}

/** @returns the users. After a request that revokes keys this process uses no cached key. */
function forgettingKeys(users: Users, accounts: Pick<CachedAccounts, 'forgetKeys'>): Users {
  const after =
    <Request>(ask: (request: Request) => Promise<void>) =>
    // Also when it failed: the answer may have been lost after the change.
    (request: Request) =>
      ask(request).finally(() => accounts.forgetKeys());
  return {
    ...users,
    removeMember: after(users.removeMember),
    resetPassword: after(users.resetPassword),
    deleteAccount: after(users.deleteAccount),
  };
}

interface About {
  log: Logger;
  metrics: Metrics;
}

function remoteOf(settings: AccountsClientSettings): RemoteAccountsOptions {
  const { ACCOUNTS_URL: url, ACCOUNTS_SECRET: secret, ACCOUNTS_DEADLINE: deadlineMs } = settings;
  return { url, secret, deadlineMs, tls: readTlsFiles(settings) };
}

function breakerOf(
  name: string,
  { ACCOUNTS_DEADLINE: deadlineMs }: AccountsClientSettings,
  about: About,
): CircuitBreaker {
  return circuitBreaker(name, {
    unavailable: UNAVAILABLE,
    deadlineMs: deadlineMs + BEYOND_MS,
    countsAsFailure: isOutage,
    ...about,
  });
}

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
 * The accounts of another process. Connects with the first call and reconnects when needed; without a connection calls
 * fail at once.
 * @throws SettingsError when `url` is not an address
 */
export function remoteAccounts(options: RemoteAccountsOptions): Accounts & RevocationSource {
  const channel = new Channel(options);
  const methods = remote<Accounts>(channel, accountsProtocol, ACCOUNTS_METHODS);
  return {
    ...methods,
    authenticate: async (request) => (isWellFormedApiKey(request.apiKey) ? methods.authenticate(request) : null),
    watchRevocations: (watcher) =>
      keepWatching((heard, signal) => channel.watch(accountsProtocol.WatchRevocations, heard, signal), watcher),
    async ready() {
      try {
        const health = (await channel.ask(healthProtocol.Check, { service: SERVICE_NAME })) as { status: string };
        if (health.status !== 'SERVING') return 'the accounts service is not ready';
        // The health service needs no secret. An empty key needs one, and is refused without a read of the store.
        await channel.ask(accountsProtocol.Authenticate, { apiKey: '' });
        return null;
      } catch (error) {
        const cause = (error as WorkError).cause as Error | undefined;
        return cause?.message === WRONG_SECRET ? WRONG_SECRET : 'the accounts service does not answer';
      }
    },
    close: async () => channel.close(),
  };
}

/** The users of another process, as `remoteAccounts`. @throws SettingsError when `url` is not an address */
export function remoteUsers(options: RemoteAccountsOptions): Users {
  const channel = new Channel(options);
  const methods = remote<Users>(channel, usersProtocol, USERS_METHODS);
  return { ...methods, close: async () => channel.close() };
}

/** @returns the methods of a port, each of which calls the other process */
function remote<Port>(channel: Channel, protocol: ServiceDefinition, table: object): Omit<Port, 'ready' | 'close'> {
  const methods = Object.entries(table as Record<string, AnyRow>).map(([name, { rpc, request, response }]) => {
    const method = async (of: unknown) => {
      const answer = await channel.ask(protocol[rpc], request.to(of));
      try {
        return response.from(answer);
      } catch (cause) {
        // The answer of another version, or of another server: it says nothing about what was asked.
        throw accountsUnavailable(cause);
      }
    };
    return [name, method] as const;
  });
  return Object.fromEntries(methods) as unknown as Omit<Port, 'ready' | 'close'>;
}

/** What two versions of @grpc/proto-loader, ours and that of grpc-health-check, say about a method. */
interface UnaryMethod {
  path: string;
  requestSerialize(request: object): Buffer;
  responseDeserialize(bytes: Buffer): object;
}

/** Longer than the store behind the service usually takes, and short enough for a client of the API to wait for. */
const DEADLINE_MS = 2_000;

const CHANNEL = {
  'grpc.max_send_message_length': MAX_REQUEST_BYTES,
  'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
  // Without keepalive the connection to a machine that vanished stays open until the system gives up, minutes later.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.keepalive_permit_without_calls': 1,
  // The default backoff grows to two minutes, and the name is resolved every 30 s only.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Use every replica behind the name.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.service_config_disable_resolution': 1,
  // The proxy of the environment is for the internet, not for this service.
  'grpc.enable_http_proxy': 0,
} as const;

/** The channel to the accounts service. Channels to one address share their connections. */
class Channel {
  readonly #client: Client;
  readonly #secret: string | undefined;
  readonly #deadlineMs: number;
  #closed = false;

  constructor({ url, secret, tls = null, deadlineMs = DEADLINE_MS }: RemoteAccountsOptions) {
    const { target, isTls } = addressOf(url);
    const credentials =
      isTls || tls !== null
        ? ChannelCredentials.createSsl(tls?.ca, tls?.identity?.key, tls?.identity?.cert)
        : ChannelCredentials.createInsecure();
    this.#client = new Client(target, credentials, CHANNEL);
    this.#secret = secret;
    this.#deadlineMs = deadlineMs;
  }

  /** @throws WorkError as the server sent it, otherwise `accounts_unavailable` or `request_too_large` */
  ask(method: UnaryMethod | undefined, request: object): Promise<object> {
    return new Promise((resolve, reject) => {
      if (this.#closed || method === undefined) throw accountsUnavailable(new Error('closed'));
      const { path, requestSerialize, responseDeserialize } = method;
      // Checked here, because the server's refusal cannot be told from a server that is not there.
      if (requestSerialize(request).length > MAX_REQUEST_BYTES) throw tooLarge();
      const options = { deadline: Date.now() + this.#deadlineMs };
      const metadata = metadataWith(this.#secret);
      const done = (error: ServiceError | null, response?: object) => {
        if (error !== null) reject(errorOf(error));
        else if (response !== undefined) resolve(response);
      };
      this.#client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, options, done);
    });
  }

  /** @param heard called for each message of the stream. @throws WorkError when the stream ends */
  watch({ path, requestSerialize, responseDeserialize }: UnaryMethod, heard: () => void, signal: AbortSignal) {
    const metadata = metadataWith(this.#secret);
    const stream = this.#client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {}, metadata);
    const cancel = () => stream.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    return new Promise<void>((_, reject) => {
      stream.on('data', heard);
      stream.on('error', () => {});
      stream.on('status', (status) => {
        signal.removeEventListener('abort', cancel);
        reject(errorOf({ ...status, name: 'status', message: status.details }));
      });
    });
  }

  close(): void {
    this.#closed = true;
    this.#client.close();
  }
}

function tooLarge(): WorkError {
  return new WorkError({ kind: 'rejected', code: 'request_too_large', message: 'The request is too large.' });
}
