import type { z } from 'zod';
import { type Part, stopOnSignals } from '../lifecycle.ts';
import { type Logger, makeLogger } from '../log.ts';
import { type Metrics, makeMetrics } from '../metrics.ts';
import { readBothSettings, SettingsError } from '../settings.ts';
import { startTracing } from '../tracing/tracing.ts';
import { Lifetime } from './lifetime.ts';
import { startOpsServer } from './ops-server.ts';
import { serviceSettings } from './settings.ts';

export interface Service<Settings extends z.ZodObject> {
  /** In logs and metrics, e.g. `transcription`. */
  name: string;
  settings: Settings;
  /**
   * Makes the parts, in the order in which they start; they stop in reverse. Called again when a part could not start because something it needs is not there yet.
   * @throws SettingsError when something is missing that only the operator can give
   */
  parts(given: { settings: z.infer<Settings>; log: Logger; metrics: Metrics }): Promise<Part[]>;
}

/**
 * A service's whole process: settings, logs, metrics, traces, the port for operators, its parts started in order and stopped in reverse on SIGTERM. Wrong settings end it at
 * once, with a message on stderr and exit code 1. A server that is not there yet does not: the process is alive, says in /readyz what it waits for, and goes on when it is there.
 */
export async function runService<Settings extends z.ZodObject>({
  name,
  settings: schema,
  parts,
}: Service<Settings>): Promise<void> {
  let log: Logger | null = null;
  try {
    const [own, settings] = readBothSettings([serviceSettings, schema]);
    // Before the logger, whose lines carry the trace that they belong to.
    const tracing = await startTracing(name, own);
    log = makeLogger(name, own.LOG_LEVEL);
    tracing?.reportTo(log);
    const metrics = makeMetrics({ processMetrics: true });
    const lifetime = new Lifetime(log, own.SHUTDOWN_DEADLINE);
    const ops = await startOpsServer(
      { host: own.OPS_HOST, port: own.OPS_PORT },
      {
        metrics,
        whyNotReady: () => lifetime.whyNotReady(),
        degraded: () => lifetime.degraded(),
      },
    );
    lifetime.atEnd(async () => ops.close());
    if (tracing !== null) lifetime.atEnd(() => tracing.stop());
    stopOnSignals(lifetime, log);
    endOnBugs(lifetime, log);
    const given = { settings, log, metrics };
    if (await lifetime.start(() => parts(given))) log.info({ ops: ops.url }, 'ready');
  } catch (error) {
    process.stderr.write(
      `${error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    log?.flush();
    process.exit(1);
  }
}

/** After an error that nobody caught, nothing in this process can be relied on: what is in hand is given back and another process goes on. */
function endOnBugs(lifetime: Lifetime, log: Logger): void {
  let ending = false;
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'a bug: the process ends');
    // Also when it is on its way out already, by a signal.
    process.exitCode = 1;
    if (ending) return;
    ending = true;
    void lifetime.stop().finally(() => process.exit(1));
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
