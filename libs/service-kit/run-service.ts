import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { serveBounded } from './bounded-connections.ts';
import { WorkError } from './failures.ts';
import { Lifetime, type Part, shownDegraded, stopOnSignals } from './lifecycle.ts';
import { listening } from './listening.ts';
import { LOG_LEVELS, type Logger, makeLogger } from './log.ts';
import { type Metrics, makeMetrics } from './metrics.ts';
import { duration, readBothSettings, SettingsError, wholeNumber } from './settings.ts';
import { startTracing, tracingSettings } from './tracing/tracing.ts';

/** The settings of every service. */
export const serviceSettings = z.object({
  OPS_PORT: wholeNumber({ min: 0, max: 65_535 })
    .prefault('9090')
    .describe('the port of /healthz, /readyz and /metrics, 0 to 65535; 0 takes any free port'),
  OPS_HOST: z.string().default('127.0.0.1').describe('the address of that port; 0.0.0.0 for all'),
  // Kubernetes and compose kill a process after 30 s.
  SHUTDOWN_DEADLINE: duration({ min: '1s', max: '1h' })
    .prefault('25s')
    .describe('how long stopping may take, 1s to 1h'),
  SHUTDOWN_DELAY: duration({ min: '0s', max: '5m' })
    .prefault('0s')
    .describe(
      'how long the service still accepts requests after it is told to stop, so that load balancers notice, 0s to 5m',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(`one of ${LOG_LEVELS.join(', ')}`),
  ...tracingSettings.shape,
});

interface Given<Settings> {
  settings: Settings;
  log: Logger;
  metrics: Metrics;
}

/** A process: what it reads, and what it runs. */
interface ProcessOptions<Settings> {
  /** In logs and metrics, e.g. `transcription`. */
  name: string;
  /**
   * Makes the parts, in the order in which they start; they stop in reverse. Called again when a part could not start
   * because a dependency is not available yet.
   * @throws SettingsError when something is missing that only the operator can give
   */
  parts(given: Given<Settings>): Promise<Part[]>;
  /** More for the log line that says that the process is ready. */
  whenReady?(): object;
}

type ServiceSettings = z.infer<typeof serviceSettings>;
/** Without OPS_PORT there is no port for operators, and without settings of traces there are none. */
type OwnSettings = Pick<ServiceSettings, 'OPS_HOST' | 'SHUTDOWN_DEADLINE' | 'LOG_LEVEL'> & Partial<ServiceSettings>;

/** Runs a service whose settings are those of every service and its own, from the environment. See `runProcess`. */
export function runService<Settings extends z.ZodObject>({
  settings: schema,
  ...options
}: ProcessOptions<z.infer<Settings>> & { settings: Settings }): Promise<void> {
  return runProcess({ ...options, read: () => readBothSettings([serviceSettings, schema]) });
}

/**
 * Runs a process: settings, logs, metrics, traces, the port for operators, its parts started in order and stopped in
 * reverse on SIGTERM. Wrong settings end the process at once, with a message on stderr and exit code 1; while a server
 * is not available, it lives, says in /readyz what it waits for, and starts its parts when that is there.
 */
export async function runProcess<Settings>({
  name,
  read,
  parts,
  whenReady = () => ({}),
}: ProcessOptions<Settings> & {
  /** @throws SettingsError naming each wrong variable */
  read(): readonly [OwnSettings, Settings];
}): Promise<void> {
  let log: Logger | null = null;
  try {
    const [own, settings] = read();
    // Before the logger, whose lines carry the trace that they belong to.
    const tracing = await startTracing(name, own);
    log = makeLogger(name, own.LOG_LEVEL);
    tracing?.reportTo(log);
    const metrics = makeMetrics({ processMetrics: true });
    const lifetime = new Lifetime(log, own.SHUTDOWN_DEADLINE, own.SHUTDOWN_DELAY);
    const { OPS_HOST: host, OPS_PORT: port } = own;
    const about = { metrics, whyNotReady: () => lifetime.whyNotReady(), degraded: () => lifetime.degraded() };
    const ops = port === undefined ? null : await startOpsServer({ host, port }, about);
    lifetime.atEnd(async () => ops?.close());
    if (tracing !== null) lifetime.atEnd(() => tracing.stop());
    stopOnSignals(lifetime, log);
    endOnBugs(lifetime, log);
    const given = { settings, log, metrics };
    if (await lifetime.start(() => parts(given))) log.info({ ...whenReady(), ops: ops?.url }, 'ready');
  } catch (error) {
    const forPeople = error instanceof SettingsError || error instanceof WorkError;
    process.stderr.write(`${forPeople ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    log?.flush();
    process.exit(1);
  }
}

/** An uncaught error leaves the process in an unknown state: it returns its work in flight and ends. */
function endOnBugs(lifetime: Lifetime, log: Logger): void {
  let ending = false;
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error: stopping');
    // Also when a signal has already begun to stop it.
    process.exitCode = 1;
    if (ending) return;
    ending = true;
    void lifetime.stop(true).finally(() => process.exit(1));
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

export interface OpsServer {
  /** E.g. `http://127.0.0.1:9090`. */
  url: string;
  close(): void;
}

/**
 * The HTTP server for operators and their machines: `/healthz` (the process is alive), `/readyz` (it can work, or why
 * not), `/metrics` (for Prometheus).
 * @param whyNotReady gives the reasons; empty when it can work
 * @param degraded says what does not answer although the process can work; that is no reason to take it out of service
 * @throws SettingsError when the port is in use or not allowed
 */
export async function startOpsServer(
  { host, port }: { host: string; port: number },
  {
    metrics,
    whyNotReady,
    degraded = () => [],
  }: { metrics: Metrics; whyNotReady: () => Promise<string[]>; degraded?: () => readonly string[] },
): Promise<OpsServer> {
  const scrape = atMostOnceASecond(() => metrics.registry.metrics());
  const answers: Record<string, (res: ServerResponse) => Promise<void>> = {
    '/healthz': async (res) => sendJson(res, 200, { status: 'ok' }),
    '/readyz': async (res) => {
      const reasons = await whyNotReady();
      if (reasons.length === 0) sendJson(res, 200, { status: 'ready', ...shownDegraded(degraded()) });
      else sendJson(res, 503, { status: 'not ready', reasons });
    },
    '/metrics': async (res) => {
      const text = await scrape();
      res.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text);
    },
  };
  const server = createServer();
  serveBounded(server, (req, res) => {
    const answer = answers[req.url?.split('?')[0] ?? ''];
    if (answer === undefined) sendJson(res, 404, { status: 'not found', paths: Object.keys(answers) });
    else answer(res).catch(() => res.destroy());
  });
  await listening(server, { host, port, settings: { host: 'OPS_HOST', port: 'OPS_PORT' } });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Making the text costs milliseconds, and the port has no authentication. */
function atMostOnceASecond(make: () => Promise<string>): () => Promise<string> {
  let latest: { text: Promise<string>; at: number } | null = null;
  return () => {
    const at = performance.now();
    if (latest === null || at - latest.at >= 1_000) latest = { text: make(), at };
    return latest.text;
  };
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Bits of a mode by which others than the owner may do something. */
const OTHERS = 0o077;
/** Of a directory that everybody may write to, such as /tmp: it is not ours to change. */
const STICKY = 0o1000;

/** Says that a path stays readable for others, and why. */
type Warn = (about: { path: string; reason: string }) => void;

/** From now on everything that this process creates is for its user alone. */
export function createPrivately(): void {
  process.umask(OTHERS);
}

/**
 * Makes a directory for this user alone (0700), with those above it, or makes one private that is there.
 * @param warn called when others keep their access to a directory that is there
 * @throws what Node throws when the directory cannot be made
 */
export function privateDirectory(dir: string, warn: Warn): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if ((statSync(dir).mode & STICKY) === 0) tighten(dir, 0o700, warn);
  else warn({ path: dir, reason: 'it is shared with other users' });
}

/**
 * Makes an empty file for this user alone (0600), or makes one private that is there; SQLite gives its log (`-wal`) and
 * its index (`-shm`) the same mode. Never throws: SQLite reports a file that cannot be opened.
 */
export function privateDatabaseFile(file: string, warn: Warn = () => {}): void {
  if (file === ':memory:') return;
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    return;
  }
  for (const path of [file, `${file}-wal`, `${file}-shm`]) tighten(path, 0o600, warn);
}

function tighten(path: string, mode: number, warn: Warn): void {
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && (stats.mode & OTHERS) !== 0) chmodSync(path, mode);
  } catch (error) {
    warn({ path, reason: (error as Error).message });
  }
}
