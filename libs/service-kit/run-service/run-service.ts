import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { backoffMs } from '../backoff.ts';
import { failureOf } from '../failures.ts';
import { type Part, type Running, startParts, stopOnSignals } from '../lifecycle.ts';
import { type Logger, makeLogger } from '../log.ts';
import { type Metrics, makeMetrics } from '../metrics.ts';
import { type Check, whyNotReady } from '../readiness.ts';
import { readSettings, SettingsError } from '../settings.ts';
import { type OpsServer, startOpsServer } from './ops-server.ts';
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

const RETRY = { firstMs: 500, capMs: 10_000 };

/**
 * A service's whole process: settings, logs, metrics, the port for operators, its parts started in order and stopped in reverse on SIGTERM. Wrong settings end it at once,
 * with a message on stderr and exit code 1. A server that is not there yet does not: the process is alive, says in /readyz what it waits for, and goes on when it is there.
 */
export async function runService<Settings extends z.ZodObject>({ name, settings: schema, parts }: Service<Settings>): Promise<void> {
  let log: Logger | null = null;
  try {
    const own = readSettings(serviceSettings, process.env);
    log = makeLogger(name, own.LOG_LEVEL);
    const settings = readSettings(schema, process.env);
    const metrics = makeMetrics({ processMetrics: true });
    const process_ = new ServiceProcess(log, own.SHUTDOWN_DEADLINE);
    process_.ops = await startOpsServer(
      { host: own.OPS_HOST, port: own.OPS_PORT },
      { metrics, whyNotReady: () => whyNotReady(process_.checks) },
    );
    stopOnSignals(process_, log);
    endOnBugs(process_, log);
    const given = { settings, log, metrics };
    await process_.start(() => parts(given));
    log.info({ ops: process_.ops.url }, 'ready');
  } catch (error) {
    process.stderr.write(`${error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    log?.flush();
    process.exit(1);
  }
}

class ServiceProcess implements Running {
  readonly #log: Logger;
  readonly #stopWithinMs: number;
  #state: Check = () => 'starting';
  #parts: readonly Part[] = [];
  #running: Running | null = null;
  #stopping = new AbortController();
  ops: OpsServer | null = null;

  constructor(log: Logger, stopWithinMs: number) {
    this.#log = log;
    this.#stopWithinMs = stopWithinMs;
  }

  get checks(): Check[] {
    return [this.#state, ...this.#parts.map((part) => () => part.ready?.() ?? null)];
  }

  /** Returns when the parts run, or the process was told to stop. */
  async start(makeParts: () => Promise<Part[]>): Promise<void> {
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      try {
        const parts = await makeParts();
        this.#running = await startParts(parts, this.#log, this.#stopWithinMs);
        this.#parts = parts;
        this.#state = () => null;
        return;
      } catch (error) {
        const { kind, code, message } = failureOf(error);
        if (kind !== 'transient') throw error;
        this.#state = () => message;
        this.#log.warn({ err: error, code }, 'cannot start yet; trying again');
        await delay(backoffMs(failures, RETRY), undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }

  async stop(): Promise<boolean> {
    // Load balancers look before connections are refused.
    this.#state = () => 'stopping';
    this.#stopping.abort();
    const clean = (await this.#running?.stop()) ?? true;
    this.ops?.close();
    return clean;
  }
}

/** After an error that nobody caught, nothing in this process can be relied on: what is in hand is given back and another process goes on. */
function endOnBugs(service: ServiceProcess, log: Logger): void {
  let ending = false;
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'a bug: the process ends');
    if (ending) return;
    ending = true;
    void service.stop().finally(() => process.exit(1));
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
