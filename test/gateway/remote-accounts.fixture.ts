import { type Accounts, cachedAccounts } from '@call-analytics/accounts';
import { type AccountsServer, accountsServer, remoteAccounts } from '@call-analytics/accounts/grpc';
import { type RunningGateway, runGateway } from '@call-analytics/api-gateway/testing/gateway.fixture.ts';
import { type CircuitBreaker, circuitBreaker, makeLogger, makeMetrics } from '@call-analytics/service-kit';

const SECRET = 'the-secret-of-the-services';
const log = makeLogger('test', 'silent');

/** A gateway whose accounts are behind a real gRPC server, as in production, that can be stopped and started. */
export interface RemoteScene {
  gateway: RunningGateway;
  breaker: CircuitBreaker;
  stopAccounts(): Promise<void>;
  /** On the same port. */
  startAccounts(): Promise<void>;
  close(): Promise<void>;
}

export interface RemoteSceneOptions {
  ttlMs?: number;
  deadlineMs?: number;
  /** Put in the place of what the server serves, built around the real accounts. */
  served?: (real: Accounts) => Accounts;
  /** What the gateway shows to the server. */
  secret?: string;
}

export async function remoteScene(options: RemoteSceneOptions = {}): Promise<RemoteScene> {
  const { ttlMs = 3_600_000, deadlineMs = 5_000, served = (real) => real, secret = SECRET } = options;
  const unavailable = { code: 'accounts_unavailable', message: 'Accounts are temporarily unavailable.' };
  // It opens for a moment only, so that a test need not wait ten seconds for it to close.
  const breaker = circuitBreaker('accounts', {
    unavailable,
    deadlineMs: deadlineMs + 500,
    openMs: 50,
    log,
    metrics: makeMetrics(),
  });
  let server: AccountsServer | undefined;
  let serve = async () => {};
  let port = 0;
  const stopAccounts = async () => server?.stop(AbortSignal.abort());
  const gateway = await runGateway({
    async accounts(real) {
      serve = async () => {
        server = accountsServer({ accounts: served(real), host: '127.0.0.1', port, secret: SECRET, log });
        await server.start();
        port = Number(server.address().split(':').at(-1));
      };
      await serve();
      const remote = remoteAccounts({ url: `127.0.0.1:${port}`, secret, deadlineMs });
      return cachedAccounts(remote, { ttlMs, breaker, revocations: remote });
    },
  });
  return {
    gateway,
    breaker,
    stopAccounts,
    startAccounts: () => serve(),
    async close() {
      await stopAccounts();
      await gateway.stop();
    },
  };
}
