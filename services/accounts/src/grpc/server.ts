import { type Logger, type Part, SettingsError } from '@call-analytics/service-kit';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { Accounts } from '../accounts.ts';
import type { Users } from '../users.ts';
import { ACCOUNTS_METHODS, type AnyRow, USERS_METHODS } from './methods.ts';
import {
  accountsProtocol,
  hasSecret,
  MAX_REQUEST_BYTES,
  MAX_RESPONSE_BYTES,
  SERVICE_NAME,
  statusOf,
  USERS_SERVICE_NAME,
  usersProtocol,
} from './protocol.ts';
import type { TlsFiles } from './tls.ts';

/** A rolled-out replica gets its share of the calls when old connections end. */
const CONNECTION_AGE_MS = 300_000;
/** How long calls in hand may take when the server stops; callers wait no longer. */
const GRACE_MS = 3_000;
const CHECK_EVERY_MS = 2_000;
/** Healthy while the store answers. */
const OF_THE_STORE = [SERVICE_NAME, USERS_SERVICE_NAME];

export interface AccountsServerOptions {
  accounts: Accounts;
  /** Of the same store. Left out where nobody signs in. */
  users?: Users;
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** What a calling service must show. Needed unless `host` is this machine alone or callers have certificates. */
  secret?: string | undefined;
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
 * The accounts and the users over gRPC (accounts.proto), with `grpc.health.v1`: the service "" is healthy while the process serves, those two by name while their store answers. Reflection is
 * left out: whoever may call this has the .proto.
 */
export function accountsServer(options: AccountsServerOptions): AccountsServer {
  const { accounts, users, host, secret, tls = null, log, checkEveryMs = CHECK_EVERY_MS } = options;
  const health = new HealthImplementation(
    Object.fromEntries(['', ...OF_THE_STORE].map((service) => [service, 'NOT_SERVING'])),
  );
  const server = new Server({
    'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
    'grpc.max_send_message_length': MAX_RESPONSE_BYTES,
    'grpc.max_connection_age_ms': CONNECTION_AGE_MS,
  });
  server.addService(accountsProtocol, implementation(accounts, ACCOUNTS_METHODS, secret, log));
  if (users !== undefined) server.addService(usersProtocol, implementation(users, USERS_METHODS, secret, log));
  health.addToServer(server);

  let port = options.port;
  let listening = false;
  let notReady: string | null = 'not listening';
  let timer: NodeJS.Timeout | undefined;
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
      port = await listen(server, `${bracketed(host)}:${options.port}`, credentials(tls));
      listening = true;
      health.setStatus('', 'SERVING');
      log.info({ address: `${bracketed(host)}:${port}`, tls: tls !== null }, 'listening');
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
      await finished;
      late.removeEventListener('abort', cut);
    },
    ready: () => notReady,
    address: () => `${bracketed(host)}:${port}`,
  };
}

/** @returns the handlers of a gRPC service that is a port of ours */
function implementation(
  port: object,
  table: object,
  secret: string | undefined,
  log: Logger,
): UntypedServiceImplementation {
  const methods = port as Record<string, (request: unknown) => Promise<unknown>>;
  const handlers = Object.entries(table as Record<string, AnyRow>).map(([name, { rpc, request, response }]) => {
    const handler: handleUnaryCall<object, object> = async (call, answer) => {
      if (!hasSecret(call.metadata, secret)) {
        log.warn({ method: rpc, peer: call.getPeer() }, 'a caller without the shared secret');
        answer({ code: status.UNAUTHENTICATED, details: 'The shared secret is missing or wrong.' });
        return;
      }
      try {
        answer(null, response.to(await methods[name]?.(request.from(call.request))));
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

function credentials(tls: TlsFiles | null): ServerCredentials {
  if (tls === null) return ServerCredentials.createInsecure();
  if (tls.identity === null)
    throw new SettingsError(
      'ACCOUNTS_TLS_CA is set, and this service has no ACCOUNTS_TLS_CERT and ACCOUNTS_TLS_KEY to show.',
    );
  const { cert, key } = tls.identity;
  return ServerCredentials.createSsl(tls.ca, [{ cert_chain: cert, private_key: key }], tls.ca !== null);
}

function listen(server: Server, address: string, how: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, how, (error, port) => {
      if (error === null) resolve(port);
      else reject(cannotListen(address, error));
    });
  });
}

function cannotListen(address: string, cause: Error): Error {
  return new Error(
    `Cannot listen on ${address}: ${cause.message}. ACCOUNTS_GRPC_HOST and ACCOUNTS_GRPC_PORT say where.`,
    { cause },
  );
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
