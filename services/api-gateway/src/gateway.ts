import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Accounts, Users } from '@call-analytics/accounts';
import type { AudioStore } from '@call-analytics/audio-store';
import type { Calls } from '@call-analytics/calls';
import type { Messaging } from '@call-analytics/messaging';
import type { Answer, Check, ConnectionBounds, Logger, Metrics, Part } from '@call-analytics/service-kit';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { appDescription } from './app/description.ts';
import { LiveChanges, type StreamLimits } from './app/events/live-changes.ts';
import { handlersOf } from './app/handlers.ts';
import { serveOperations } from './app/serve.ts';
import { authenticateWith } from './authenticate.ts';
import { showHealth, showReadiness } from './health/health.ts';
import { exchangeOf, recordExchanges } from './http/exchange.ts';
import { HttpProblem, problemOf } from './http/problem.ts';
import { constant, send, sendConstant, sendProblem } from './http/send.ts';
import { HttpServer, refusalOf } from './http/server.ts';
import { traced } from './http/traced.ts';
import { listCalls } from './list-calls/list-calls.ts';
import { apiDescription } from './openapi/document.ts';
import { installationOf } from './openapi/files.ts';
import { type Pages, servePages } from './pages/pages.ts';
import { removeCall } from './remove-call/remove-call.ts';
import { restoreCall } from './restore-call/restore-call.ts';
import { retryCall } from './retry-call/retry-call.ts';
import { reachOf } from './session/same-origin.ts';
import { Sessions } from './session/sessions.ts';
import type { GatewaySettings } from './settings.ts';
import { showAccount } from './show-account/show-account.ts';
import { showCall, showScorecard } from './show-call/show-call.ts';
import { showProgress } from './show-progress/show-progress.ts';
import { ClientGone } from './upload-call/body.ts';
import type { Reception } from './upload-call/receive.ts';
import { uploadCall } from './upload-call/upload-call.ts';

export interface Gateway extends Part {
  /** Where it listens once it is started, e.g. `http://127.0.0.1:8080`. */
  url(): string;
}

export interface GatewayParts {
  calls: Calls;
  audioStore: AudioStore;
  accounts: Accounts;
  users: Users;
  /** What happens to calls, for the pages that listen; without it they poll. */
  messaging?: Pick<Messaging, 'subscribe'>;
  /** Milliseconds between signs of life on a stream and between looks at its session, and how many streams there may be; for tests. */
  liveTimes?: { awakeMs?: number; checkMs?: number; limits?: StreamLimits };
  /** How long clients may take to read an answer; for tests. */
  bounds?: ConnectionBounds;
  /** The web application and the documentation. Without them, `/` and `/docs` lead to the OpenAPI document. */
  pages?: Pages;
  log: Logger;
  metrics: Metrics;
  settings: GatewaySettings;
  /** What else must work, in this process, for requests to be served. @returns why it does not, in a few words each */
  readiness?: () => Promise<readonly string[]>;
  /** What does not answer in this process although requests can be served. */
  degraded?: () => readonly string[];
}

/** The HTTP API. Starts to listen with `start`. */
export function createGateway(parts: GatewayParts): Gateway {
  const { log, metrics, settings, users, messaging, liveTimes, bounds } = parts;
  const changes = new LiveChanges({ users, messaging, log, ...liveTimes });
  const app = routes(parts, changes, () => settings.PUBLIC_URL ?? server.url);
  const begin = recordExchanges(log, metrics);
  const overTls = settings.PUBLIC_URL?.startsWith('https:') ?? false;
  const answer: Answer = (req, res) => {
    begin(req, res);
    if (overTls) res.setHeader('Strict-Transport-Security', HSTS);
    const refusal = refusalOf(req);
    if (refusal !== null) {
      sendProblem(res, refusal);
      return;
    }
    req.url = readable(req.url ?? '/');
    app(req, res);
  };
  const server = new HttpServer(answer, {
    isStream: (res) => exchangeOf(res).isStream,
    onClose: (reason) => log.warn({ reason }, 'a connection was closed'),
    ...bounds,
  });
  return {
    name: 'api gateway',
    async start() {
      await changes.start();
      await server.listen(settings.PORT, settings.HOST);
    },
    async stop(deadline) {
      // Before the server, which waits for its answers: these have no end of their own.
      await changes.stop();
      await server.stop(deadline);
    },
    ready: () => (server.listening ? null : 'not listening'),
    url: () => server.url,
  };
}

/** For a year: https://www.rfc-editor.org/rfc/rfc6797. Whether it holds for other hosts of the domain is not ours to say. */
const HSTS = 'max-age=31536000';
const CALLS = '/api/v1/calls';
const CALL = '/api/v1/calls/:id';
const SCORECARD = '/api/v1/calls/:id/scorecard';
const PROGRESS = '/api/v1/calls/:id/progress';
const RETRY = '/api/v1/calls/:id/retry';
const RESTORE = '/api/v1/calls/:id/restore';

function routes(
  { calls, audioStore, accounts, users, pages, log, metrics, settings, readiness, degraded }: GatewayParts,
  changes: LiveChanges,
  publicUrl: () => string,
) {
  const sessions = new Sessions(users, reachOf(settings));
  const authenticate = authenticateWith(accounts, sessions);
  const reception: Reception = {
    audioStore,
    maxBytes: settings.MAX_UPLOAD_BYTES,
    idleMs: settings.UPLOAD_IDLE_TIMEOUT,
    minBytesPerSecond: settings.UPLOAD_MIN_RATE,
    perAccount: settings.UPLOADS_PER_ACCOUNT,
    log,
  };
  const checks: Check[] = [
    () => calls.reads.ready(),
    () => audioStore.ready(),
    () => accounts.ready(),
    async () => (await readiness?.())?.join('; ') || null,
  ];
  const ofTheApi = constant('application/json', JSON.stringify(apiDescription(installationOf(settings))));
  const ofTheApp = constant('application/json', JSON.stringify(appDescription()));

  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', false);
  // In the order of how often they are asked for: each route in front of another costs it a comparison.
  app
    .route(CALL)
    .get(traced(CALL, showCall(authenticate, calls)))
    .delete(traced(CALL, removeCall(authenticate, calls)))
    .all(only('GET, HEAD, DELETE'));
  app
    .route(CALLS)
    .get(traced(CALLS, listCalls(authenticate, calls)))
    .post(traced(CALLS, uploadCall(authenticate, calls, metrics, reception)))
    .all(only('GET, HEAD, POST'));
  app
    .route(SCORECARD)
    .get(traced(SCORECARD, showScorecard(authenticate, calls)))
    .all(only('GET, HEAD'));
  app
    .route(PROGRESS)
    .get(traced(PROGRESS, showProgress(authenticate, calls)))
    .all(only('GET, HEAD'));
  app
    .route(RETRY)
    .post(traced(RETRY, retryCall(authenticate, calls)))
    .all(only('POST'));
  app
    .route(RESTORE)
    .post(traced(RESTORE, restoreCall(authenticate, calls)))
    .all(only('POST'));
  app.route('/api/v1/me').get(showAccount(authenticate)).all(only('GET, HEAD'));
  const handlers = handlersOf({
    accounts,
    users,
    calls,
    sessions,
    changes,
    publicUrl,
    maxUploadBytes: settings.MAX_UPLOAD_BYTES,
  });
  serveOperations(app, handlers, { sessions, trustedProxies: settings.TRUSTED_PROXIES, only });
  app.route('/healthz').get(showHealth).all(only('GET, HEAD'));
  app.route('/readyz').get(showReadiness(checks, degraded)).all(only('GET, HEAD'));
  app
    .route('/api/v1/openapi.json')
    .get((_req, res) => sendConstant(res, ofTheApi))
    .all(only('GET, HEAD'));
  app
    .route('/app/openapi.json')
    .get((_req, res) => sendConstant(res, ofTheApp))
    .all(only('GET, HEAD'));
  const home = pages === undefined ? toDescription : servePages(pages);
  app.route('/docs').get(home).all(only('GET, HEAD'));
  app.route('/').get(home).all(only('GET, HEAD'));
  if (pages !== undefined) app.route('/{*page}').get(servePages(pages));
  app.use(() => {
    throw new HttpProblem('not_found', 'The address does not exist. See "/docs".');
  });
  app.use(answerErrors(log));
  return app;
}

function toDescription(_req: IncomingMessage, res: ServerResponse): void {
  send(res, 302, 'text/plain', '', { Location: '/api/v1/openapi.json' });
}

function only(allow: string): RequestHandler {
  return (req) => {
    throw new HttpProblem(
      'method_not_allowed',
      `${req.method} is not supported at this address. Supported: ${allow}.`,
      { Allow: allow },
    );
  };
}

function answerErrors(log: Logger): ErrorRequestHandler {
  // Express knows a handler of errors by its four parameters.
  return (error: unknown, _req, res: ServerResponse, _next) => {
    if (error instanceof ClientGone) {
      res.destroy();
      return;
    }
    const problem = problemOf(error);
    if (problem.status >= 500) {
      const { requestId } = exchangeOf(res);
      log[problem.status === 500 ? 'error' : 'warn']({ err: error, requestId, code: problem.code }, 'a request failed');
    }
    sendProblem(res, problem);
  };
}

/** A broken escape names nothing: it is taken as it stands, so that the address is answered like any other that is not there. */
function readable(url: string): string {
  if (!url.includes('%')) return url;
  return url.replace(/%(?![0-9A-Fa-f]{2})/g, '%25').replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      decodeURIComponent(escapes);
      return escapes;
    } catch {
      return escapes.replaceAll('%', '%25');
    }
  });
}
