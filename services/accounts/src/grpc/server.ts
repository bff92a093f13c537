import { cannotListen, type Logger, type Part, SettingsError } from '@call-analytics/service-kit';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { Accounts, Users } from '../accounts.ts';
import type { RevocationSource, RevocationWatcher } from '../cached-accounts.ts';
import { ACCOUNTS_METHODS, type AnyRow, USERS_METHODS } from './methods.ts';
import {
  accountsProtocol,
  hasSecret,
  MAX_REQUEST_BYTES,
  MAX_RESPONSE_BYTES,
  SERVICE_NAME,
  statusOf,
  type TlsFiles,
  USERS_SERVICE_NAME,
  usersProtocol,
} from './protocol.ts';

/** A rolled-out replica gets its share of the calls when old connections end. */
const CONNECTION_AGE_MS = 300_000;
/** How long calls in flight may take when the server stops. Callers wait no longer. */
const GRACE_MS = 3_000;
const CHECK_EVERY_MS = 2_000;
/** Healthy while the store answers. */
const OF_THE_STORE = [SERVICE_NAME, USERS_SERVICE_NAME];

export interface AccountsServerOptions {
  accounts: Accounts;
  /** Of the same store. Left out where users do not sign in. */
  users?: Users;
  /** Revocations by other processes that use the same store. Left out where there are none. */
  revocations?: RevocationSource;
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** What a calling service must show. Needed unless `host` is this machine alone or callers have certificates. */
  secret?: string | undefined;
  /** What it may show as well, while the secret is replaced. */
  previousSecret?: string | undefined;
  /** With `ca`, callers must have a certificate of that authority. */
  tls?: TlsFiles | null;
  log: Logger;
  /** How often the store is asked whether it answers, for the health service. */
  checkEveryMs?: number;
}

export interface AccountsServer extends Part {
  /** Where it listens once it is started, e.g. `127.0.0.1:50051`. */
  address(): string;
}

/**
 * The accounts and the users over gRPC (accounts.proto), with `grpc.health.v1`: the service "" is healthy while the
 * process serves, the other two while the store answers. There is no reflection, because callers have the .proto.
 */
export function accountsServer(options: AccountsServerOptions): AccountsServer {
  const {
    accounts,
    users,
    revocations,
    host,
    secret,
    previousSecret,
    tls = null,
    log,
    checkEveryMs = CHECK_EVERY_MS,
  } = options;
  const health = new HealthImplementation(
    Object.fromEntries(['', ...OF_THE_STORE].map((service) => [service, 'NOT_SERVING'])),
  );
  const server = new Server({
    'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
    'grpc.max_send_message_length': MAX_RESPONSE_BYTES,
    'grpc.max_connection_age_ms': CONNECTION_AGE_MS,
    // Ends the streams of callers that vanished.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  const streams = new RevocationStreams(revocations === undefined, log);
  const secrets = secret === undefined ? [] : [secret, ...(previousSecret === undefined ? [] : [previousSecret])];
  const about = { secrets, log, streams };
  server.addService(accountsProtocol, {
    ...implementation(accounts, ACCOUNTS_METHODS, about),
    WatchRevocations: streams.handler(about),
  });
  if (users !== undefined) server.addService(usersProtocol, implementation(users, USERS_METHODS, about));
  health.addToServer(server);

  let port = options.port;
  let listening = false;
  let notReady: string | null = 'not listening';
  let timer: NodeJS.Timeout | undefined;
  let watch: ReturnType<RevocationSource['watchRevocations']> | undefined;
  const check = async () => {
    const before = notReady;
    notReady = await accounts.ready();
    if (!listening) return;
    for (const service of OF_THE_STORE) health.setStatus(service, notReady === null ? 'SERVING' : 'NOT_SERVING');
    if (before !== notReady)
      log.info({ reason: notReady }, notReady === null ? 'the accounts answer' : 'the accounts do not answer');
    timer = setTimeout(check, checkEveryMs);
  };
  return {
    name: 'accounts server',
    async start() {
      port = await listen(server, { host, port: options.port }, credentials(tls));
      listening = true;
      health.setStatus('', 'SERVING');
      log.info({ address: `${bracketed(host)}:${port}`, tls: tls !== null }, 'listening');
      watch = revocations?.watchRevocations(streams);
      await check();
    },
    async stop(deadline) {
      listening = false;
      clearTimeout(timer);
      notReady = 'not listening';
      for (const service of ['', ...OF_THE_STORE]) health.setStatus(service, 'NOT_SERVING');
      const cut = () => server.forceShutdown();
      const late = AbortSignal.any([deadline, AbortSignal.timeout(GRACE_MS)]);
      late.addEventListener('abort', cut, { once: true });
      const finished = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      if (late.aborted) cut();
      watch?.stop();
      // The server would wait for the streams.
      streams.lost();
      await finished;
      late.removeEventListener('abort', cut);
    },
    ready: () => notReady,
    address: () => `${bracketed(host)}:${port}`,
  };
}

interface About {
  secrets: readonly string[];
  log: Logger;
  streams: RevocationStreams;
}

const NO_SECRET = { code: status.UNAUTHENTICATED, details: 'The shared secret is missing or wrong.' };

/** @returns whether the caller may call `method`; otherwise it is logged */
function isLetIn(call: Pick<ServerUnaryCall<object, object>, 'metadata' | 'getPeer'>, method: string, about: About) {
  const { secrets, log } = about;
  if (hasSecret(call.metadata, secrets)) return true;
  log.warn({ method, peer: call.getPeer() }, 'a caller without the shared secret');
  return false;
}

/** @returns the handlers of a gRPC service that is a port of ours */
function implementation(port: object, table: object, about: About): UntypedServiceImplementation {
  const { log, streams } = about;
  const methods = port as Record<string, (request: unknown) => Promise<unknown>>;
  const handlers = Object.entries(table as Record<string, AnyRow>).map(([name, row]) => {
    const { rpc, request, response, revokesKeys = false } = row;
    const handler: handleUnaryCall<object, object> = async (call, answer) => {
      if (!isLetIn(call, rpc, about)) {
        answer(NO_SECRET);
        return;
      }
      try {
        const result = methods[name]?.(request.from(call.request));
        answer(null, response.to(await (revokesKeys ? result?.finally(() => streams.revoked()) : result)));
      } catch (error) {
        const sent = statusOf(error);
        if (sent.code === status.INTERNAL) log.error({ err: error, method: rpc }, 'a request failed');
        else if (sent.code === status.UNAVAILABLE) log.warn({ err: error, method: rpc }, 'the accounts do not answer');
        answer(sent);
      }
    };
    return [rpc, handler] as const;
  });
  return Object.fromEntries(handlers);
}

/** The open streams of WatchRevocations: of callers that cache keys. */
class RevocationStreams implements RevocationWatcher {
  readonly #streams = new Set<ServerWritableStream<object, object>>();
  readonly #log: Logger;
  #isWatching: boolean;

  /** @param isWatching whether nothing is missed as it is, because no other process uses the store */
  constructor(isWatching: boolean, log: Logger) {
    this.#isWatching = isWatching;
    this.#log = log;
  }

  handler(about: About): handleServerStreamingCall<object, object> {
    return (call) => {
      if (!isLetIn(call, 'WatchRevocations', about)) {
        call.emit('error', NO_SECRET);
      } else if (!this.#isWatching) {
        call.end();
      } else {
        this.#streams.add(call);
        call.on('close', () => this.#streams.delete(call));
        call.on('cancelled', () => this.#streams.delete(call));
        call.write({});
      }
    };
  }

  watching(): void {
    this.#log.info('watching revocations by other processes');
    this.#isWatching = true;
  }

  revoked(): void {
    for (const stream of this.#streams) stream.write({});
  }

  lost(error?: unknown): void {
    if (this.#isWatching && error !== undefined)
      this.#log.warn({ err: error }, 'cannot watch revocations by other processes: callers check every key');
    this.#isWatching = false;
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }
}

function credentials(tls: TlsFiles | null): ServerCredentials {
  if (tls === null) return ServerCredentials.createInsecure();
  if (tls.identity === null)
    throw new SettingsError(
      'ACCOUNTS_TLS_CA is set, and this service has no ACCOUNTS_TLS_CERT and ACCOUNTS_TLS_KEY to show.',
    );
  const { cert, key } = tls.identity;
  return ServerCredentials.createSsl(tls.ca, [{ cert_chain: cert, private_key: key }], tls.ca !== null);
}

/** @throws SettingsError that says what to do when the address cannot be used */
function listen(server: Server, at: { host: string; port: number }, how: ServerCredentials): Promise<number> {
  const settings = { host: 'ACCOUNTS_GRPC_HOST', port: 'ACCOUNTS_GRPC_PORT' };
  return new Promise((resolve, reject) => {
    server.bindAsync(`${bracketed(at.host)}:${at.port}`, how, (error, port) => {
      if (error === null) resolve(port);
      // The error of the system is only in the text.
      else reject(cannotListen({ ...at, settings }, /\bE[A-Z]{4,}\b/.exec(error.message)?.[0] ?? error.message));
    });
  });
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
