import { z } from 'zod';
import { WorkError } from './failures.ts';
import { Lifetime, type Part, stopOnSignals } from './lifecycle.ts';
import { LOG_LEVELS, type Logger, makeLogger } from './log.ts';
import { type Metrics, makeMetrics } from './metrics.ts';
import { startOpsServer } from './ops-server.ts';
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
