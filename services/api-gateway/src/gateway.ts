import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Accounts, Users } from '@call-analytics/accounts';
import type { AudioStore } from '@call-analytics/audio-store';
import { type Calls, Trackers } from '@call-analytics/calls';
import type { Messaging } from '@call-analytics/messaging';
import {
  type Answer,
  type Check,
  type ConnectionBounds,
  type Logger,
  type Metrics,
  type Part,
  shownDegraded,
  whyNotReady,
} from '@call-analytics/service-kit';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { constant, exchangeOf, recordExchanges, send, sendConstant, sendJson, sendProblem } from './http/exchange.ts';
import { ClientGone, HttpProblem, problemOf } from './http/problem.ts';
import { HttpServer, refusalOf } from './http/server.ts';
import { apiDescription, appDescription } from './openapi/description.ts';
import { onlyMethods, serveOperations } from './operations/operations.ts';
import { type Pages, servePages } from './pages.ts';
import { LiveChanges, type StreamLimits } from './session/live-changes.ts';
import { authenticateWith, reachOf, Sessions } from './session/sessions.ts';
import { type GatewaySettings, installationOf } from './settings.ts';
import { Uploads } from './upload/uploads.ts';

export interface Gateway extends Part {
  /** Where it listens after the start, e.g. `http://127.0.0.1:8080`. */
  url(): string;
}

export interface GatewayParts {
  calls: Calls;
  audioStore: AudioStore;
  accounts: Accounts;
  users: Users;
  /** Announces changes of calls to open pages. Without it, pages poll. */
  messaging?: Pick<Messaging, 'subscribe'>;
  /** For tests: times and limits of the event streams. */
  liveTimes?: { keepAliveMs?: number; checkMs?: number; limits?: StreamLimits };
  /** For tests: how long clients may take to read a response. */
  bounds?: ConnectionBounds;
  /** The web application and the documentation. Without them, `/` and `/docs` redirect to the OpenAPI document. */
  pages?: Pages;
  log: Logger;
  metrics: Metrics;
  settings: GatewaySettings;
  /** @returns why requests cannot be served by the other parts of this process, in a few words each */
  readiness?: () => Promise<readonly string[]>;
  /** @returns the dependencies that are unavailable while requests can be served */
  degraded?: () => readonly string[];
}

/** The HTTP API. It listens after `start`. */
export function createGateway(parts: GatewayParts): Gateway {
  const { log, metrics, settings, users, messaging, liveTimes, bounds } = parts;
  const changes = new LiveChanges({ users, messaging, log, ...liveTimes });
  const trackers = new Trackers(parts.calls, log);
  const app = routes(parts, { changes, trackers }, () => settings.PUBLIC_URL ?? server.url);
  const begin = recordExchanges(log, metrics);
  const isHttps = settings.PUBLIC_URL?.startsWith('https:') ?? false;
  const answer: Answer = (req, res) => {
    begin(req, res);
    if (isHttps) res.setHeader('Strict-Transport-Security', HSTS);
    const refusal = refusalOf(req);
    if (refusal !== null) {
      sendProblem(res, refusal);
      return;
    }
    req.url = withValidEscapes(req.url ?? '/');
    app(req, res);
  };
  const server = new HttpServer(app, answer, {
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
    drain: () => server.drain(),
    async stop(deadline) {
      // First the event streams, because the server waits for its responses.
      await changes.stop();
      await trackers.stop();
      await server.stop(deadline);
    },
    ready: () => (server.listening ? null : 'not listening'),
    url: () => server.url,
  };
}

/**
 * One year: https://www.rfc-editor.org/rfc/rfc6797. Other hosts of the domain may not use TLS, so it is for this host
 * only.
 */
const HSTS = 'max-age=31536000';

function routes(
  parts: GatewayParts,
  { changes, trackers }: { changes: LiveChanges; trackers: Trackers },
  publicUrl: () => string,
) {
  const { calls, audioStore, accounts, users, pages, log, metrics, settings } = parts;
  const sessions = new Sessions(users, reachOf(settings), log);
  const uploads = new Uploads({
    calls,
    audioStore,
    limits: {
      maxBytes: settings.MAX_UPLOAD_BYTES,
      idleMs: settings.UPLOAD_IDLE_TIMEOUT,
      minBytesPerSecond: settings.UPLOAD_MIN_RATE,
    },
    perAccount: settings.UPLOADS_PER_ACCOUNT,
    log,
    metrics,
  });
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', false);
  app.set('trust proxy', settings.TRUSTED_PROXIES);

  const maxUploadBytes = settings.MAX_UPLOAD_BYTES;
  const engines = settings.ANALYSIS_ENGINE ?? [];
  const dependencies = {
    engines,
    accounts,
    users,
    calls,
    trackers,
    sessions,
    uploads,
    changes,
    publicUrl,
    maxUploadBytes,
  };
  serveOperations(app, dependencies, authenticateWith(accounts, sessions));

  const installation = installationOf(settings);
  const home = pages === undefined ? redirectToDescription : servePages(pages);
  read('/healthz', (_req, res) => sendJson(res, 200, { status: 'ok' }));
  read('/readyz', readiness(parts));
  read('/api/v1/openapi.json', document(apiDescription(installation)));
  read('/app/openapi.json', document(appDescription(installation)));
  read('/docs', home);
  read('/', home);
  if (pages !== undefined) app.route('/{*page}').get(servePages(pages));
  app.use(() => {
    throw new HttpProblem('not_found', 'The address does not exist. See "/docs".');
  });
  app.use(answerErrors(log));
  return app;

  function read(path: string, handle: RequestHandler): void {
    app.route(path).get(handle).all(onlyMethods('GET, HEAD'));
  }
}

/**
 * GET /readyz. An engine that is unavailable is only `degraded`: uploads are accepted and wait, and without the gateway
 * they would be refused.
 */
function readiness({ calls, audioStore, accounts, readiness, degraded = () => [] }: GatewayParts): RequestHandler {
  const checks: Check[] = [
    () => calls.reads.ready(),
    () => audioStore.ready(),
    () => accounts.ready(),
    async () => (await readiness?.())?.join('; ') || null,
  ];
  return async (_req, res) => {
    const reasons = await whyNotReady(checks);
    if (reasons.length === 0) sendJson(res, 200, { status: 'ready', ...shownDegraded(degraded()) });
    else sendJson(res, 503, { status: 'not ready', reasons });
  };
}

function document(description: object): RequestHandler {
  const text = constant('application/json', JSON.stringify(description));
  return (_req, res) => sendConstant(res, text);
}

function redirectToDescription(_req: IncomingMessage, res: ServerResponse): void {
  send(res, 302, 'text/plain', '', { Location: '/api/v1/openapi.json' });
}

function answerErrors(log: Logger): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
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

/** Escapes the `%` of an invalid escape, so that the address is not found like any other unknown address. */
function withValidEscapes(url: string): string {
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
