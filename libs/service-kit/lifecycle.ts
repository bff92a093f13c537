import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, failureOf, untilAborted, withTimeout } from './failures.ts';
import type { Logger } from './log.ts';

/** How long a check of readiness may take, in milliseconds. */
const CHECK_WITHIN_MS = 2_000;

/** A server, a consumer or a loop. Parts start in order and stop in reverse. */
export interface Part {
  readonly name: string;
  start(): Promise<void>;
  /** Called SHUTDOWN_DELAY before `stop`: it still takes work, and tells its clients to connect to another process. */
  drain?(): void;
  /**
   * Graceful shutdown: takes no more work, finishes or returns what is in flight, and closes. Also called when `start`
   * failed.
   * @param deadline aborted when the time is up: dropping the rest is safe
   */
  stop(deadline: AbortSignal): Promise<void>;
  /** @returns null when it can work, otherwise why not, in a few words */
  ready?(): string | null | Promise<string | null>;
  /** @returns null when its dependencies respond, otherwise which does not; it still takes and keeps work */
  degraded?(): string | null;
  /** @returns the queues of this process that no part consumes, once the parts have started */
  unhandledQueues?(): readonly string[];
}

/** @returns the dependencies of the parts that do not respond */
export function degradedOf(parts: readonly Part[]): string[] {
  return parts.map((part) => part.degraded?.() ?? null).filter((reason) => reason !== null);
}

/** As a field of the response of `/readyz`; none when all is well. */
export function shownDegraded(reasons: readonly string[]): { degraded?: readonly string[] } {
  return reasons.length === 0 ? {} : { degraded: reasons };
}

/** A connection or store as a part: it only closes, after everything that uses it. */
export function closes(name: string, it: { close(): Promise<void> } & Pick<Part, 'ready' | 'unhandledQueues'>): Part {
  return {
    name,
    start: async () => {},
    stop: () => it.close(),
    ready: () => it.ready?.() ?? null,
    unhandledQueues: () => it.unhandledQueues?.() ?? [],
  };
}

/** What needs no connection as a part: while it cannot be used, the process is not ready. */
export function requires(name: string, it: { ready(): Promise<string | null> }): Part {
  return closes(name, { close: async () => {}, ready: () => it.ready() });
}

export interface Running {
  /** Resolves when everything has stopped. @returns true when all of it stopped in time */
  stop(): Promise<boolean>;
}

/**
 * Starts the parts in order. When one fails to start, or a queue has no handler (its messages would wait forever), it
 * stops those that it has begun to start, and throws the error.
 * @param stopWithinMs how long all parts may take to stop
 */
export async function startParts(parts: readonly Part[], log: Logger, stopWithinMs = 10_000): Promise<Running> {
  const started: Part[] = [];
  const stopAll = async () => {
    const deadline = AbortSignal.timeout(stopWithinMs);
    let clean = true;
    for (const part of started.splice(0).reverse()) {
      try {
        await untilAborted(part.stop(deadline), deadline);
        log.debug({ part: part.name }, 'stopped');
      } catch (error) {
        clean = false;
        log.error({ part: part.name, err: error }, 'did not stop cleanly');
      }
    }
    return clean;
  };
  for (const part of parts) {
    try {
      started.push(part);
      await part.start();
      log.debug({ part: part.name }, 'started');
    } catch (error) {
      await stopAll();
      throw error;
    }
  }
  const unhandled = parts.flatMap((part) => part.unhandledQueues?.() ?? []);
  if (unhandled.length > 0) {
    await stopAll();
    throw new Error(`No part of this service consumes: ${unhandled.join(', ')}.`);
  }
  let stopping: Promise<boolean> | null = null;
  return {
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };
}

/** Stops `running` on SIGTERM or SIGINT; exits with 0 after a clean stop, else 1. A second signal exits at once. */
export function stopOnSignals(running: Running, log: Logger): void {
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      log.info({ signal }, 'stopping');
      void running.stop().then((clean) => {
        log.info({ clean }, 'stopped');
        // An earlier failure keeps its exit code.
        process.exit(clean ? (process.exitCode ?? 0) : 1);
      });
    });
  }
}

/** One thing that must work. @returns null when it does, otherwise why not, in a few words */
export type Check = () => string | null | Promise<string | null>;

/** @returns the reasons of the checks that give one, fail or exceed two seconds; empty when all is well */
export async function whyNotReady(checks: readonly Check[]): Promise<string[]> {
  const answers = await Promise.all(checks.map(reasonOf));
  return answers.filter((reason) => reason !== null);
}

/** @returns the reason of the check, also when it fails or exceeds two seconds */
export async function reasonOf(check: Check): Promise<string | null> {
  const late = `no answer within ${CHECK_WITHIN_MS} ms`;
  try {
    return await withTimeout(Promise.resolve(check()), CHECK_WITHIN_MS, late);
  } catch (error) {
    return error instanceof Error && error.message === late ? late : 'a check failed';
  }
}

const RETRY = { firstMs: 500, capMs: 10_000 };

/** A process from its start to its end: it waits for what is not there yet, works, and stops. */
export class Lifetime implements Running {
  readonly #log: Logger;
  readonly #stopWithinMs: number;
  readonly #stopAfterMs: number;
  readonly #stopping = new AbortController();
  readonly #last: (() => Promise<void>)[] = [];
  #state: string | null = 'starting';
  #parts: readonly Part[] = [];
  #starting: Promise<Running> | null = null;
  #running: Running | null = null;
  #stopped: Promise<boolean> | null = null;

  /**
   * @param stopWithinMs the time that stopping the parts may take in all
   * @param stopAfterMs how long the parts work on before they are stopped
   */
  constructor(log: Logger, stopWithinMs: number, stopAfterMs = 0) {
    this.#log = log;
    this.#stopWithinMs = stopWithinMs;
    this.#stopAfterMs = stopAfterMs;
  }

  /** @param step done when the parts have stopped; of several, the last one given comes first */
  atEnd(step: () => Promise<void>): void {
    this.#last.unshift(step);
  }

  /** @returns what the process waits for, or which part cannot work and why; empty when all is well */
  async whyNotReady(): Promise<string[]> {
    const parts = await Promise.all(this.#parts.map(reasonOfPart));
    return [this.#state, ...parts].filter((reason) => reason !== null);
  }

  /** @returns what the parts use that does not answer, while they keep their work until it does */
  degraded(): string[] {
    return degradedOf(this.#parts);
  }

  /**
   * Starts the parts, again and again while something they need is not there.
   * @returns true when they run, false when the process was asked to stop
   * @throws what keeps them from starting and will not pass
   */
  async start(makeParts: () => Promise<Part[]>): Promise<boolean> {
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      try {
        const parts = await makeParts();
        // Asked to stop meanwhile: no part has started.
        if (this.#stopping.signal.aborted) break;
        this.#starting = startParts(parts, this.#log, this.#stopWithinMs);
        const running = await this.#starting;
        if (this.#stopping.signal.aborted) break;
        this.#running = running;
        this.#parts = parts;
        this.#state = null;
        return true;
      } catch (error) {
        const { kind, code, message } = failureOf(error);
        if (kind !== 'transient') throw error;
        this.#starting = null;
        if (this.#stopping.signal.aborted) break;
        this.#state = message;
        this.#log.warn({ err: error, code }, 'cannot start yet; trying again');
        await delay(backoffMs(failures, RETRY), undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
    return false;
  }

  /** @param atOnce without the delay: the process cannot work on */
  stop(atOnce = false): Promise<boolean> {
    this.#stopped ??= this.#stop(atOnce);
    return this.#stopped;
  }

  async #stop(atOnce: boolean): Promise<boolean> {
    // Load balancers look before connections are refused.
    this.#state = 'stopping';
    this.#stopping.abort();
    if (this.#running !== null && this.#stopAfterMs > 0 && !atOnce) {
      for (const part of this.#parts) part.drain?.();
      await delay(this.#stopAfterMs);
    }
    const clean = await this.#stopParts();
    for (const step of this.#last) await step();
    return clean;
  }

  async #stopParts(): Promise<boolean> {
    if (this.#running !== null) return this.#running.stop();
    if (this.#starting === null) return true;
    // Parts that are just being started are let finish that first: what they have begun must be given back.
    const stopped = this.#starting.then(
      (running) => running.stop(),
      () => true,
    );
    return Promise.race([stopped, delay(this.#stopWithinMs, false)]);
  }
}

async function reasonOfPart(part: Part): Promise<string | null> {
  const reason = await reasonOf(() => part.ready?.() ?? null);
  return reason === null ? null : `${part.name}: ${reason}`;
}
