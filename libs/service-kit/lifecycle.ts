import type { Logger } from './log.ts';

/** Something that runs: a server, a consumer, a loop. Started in order, stopped in reverse. */
export interface Part {
  readonly name: string;
  start(): Promise<void>;
  /**
   * Stops taking work, finishes or gives back what is in hand, and closes. Also called when `start` failed half-way.
   * @param deadline aborted when the time is up: drop what is left, it is safe to
   */
  stop(deadline: AbortSignal): Promise<void>;
  /** @returns null when it can work, otherwise why not, in a few words */
  ready?(): string | null | Promise<string | null>;
  /** @returns null when all that it uses answers, otherwise what does not; it still takes and keeps work */
  degraded?(): string | null;
}

/** @returns what the parts use that does not answer */
export function degradedOf(parts: readonly Part[]): string[] {
  return parts.map((part) => part.degraded?.() ?? null).filter((reason) => reason !== null);
}

/** As a part of the answer of `/readyz`; nothing when all is well. */
export function shownDegraded(reasons: readonly string[]): { degraded?: readonly string[] } {
  return reasons.length === 0 ? {} : { degraded: reasons };
}

/** A connection or store as a part: there is nothing to start, and it is closed after everything that uses it. */
export function closes(
  name: string,
  it: { close(): Promise<void>; ready?(): string | null | Promise<string | null> },
): Part {
  return { name, start: async () => {}, stop: () => it.close(), ready: () => it.ready?.() ?? null };
}

export interface Running {
  /** Resolves when everything has stopped. @returns true when all of it stopped in time */
  stop(): Promise<boolean>;
}

/**
 * Starts the parts in order. When one does not start, it and those before it are stopped and the error is thrown.
 * @param stopWithinMs the time that stopping may take in all
 */
export async function startParts(parts: readonly Part[], log: Logger, stopWithinMs = 10_000): Promise<Running> {
  const started: Part[] = [];
  const stopAll = async () => {
    const deadline = AbortSignal.timeout(stopWithinMs);
    const late = rejectOn(deadline);
    let clean = true;
    for (const part of started.splice(0).reverse()) {
      try {
        await Promise.race([part.stop(deadline), late]);
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
  let stopping: Promise<boolean> | null = null;
  return {
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };
}

/** Stops `running` on SIGTERM or SIGINT and ends the process: 0 after a clean stop, 1 otherwise. A second signal ends it at once. */
export function stopOnSignals(running: Running, log: Logger): void {
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      log.info({ signal }, 'stopping');
      void running.stop().then((clean) => {
        log.info({ clean }, 'stopped');
        // What went wrong elsewhere is not made good by a clean stop.
        process.exit(clean ? (process.exitCode ?? 0) : 1);
      });
    });
  }
}

/** Never an unhandled rejection, also when nobody waits for it any more. */
function rejectOn(signal: AbortSignal): Promise<never> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('not stopped in time')), { once: true });
  });
  late.catch(() => {});
  return late;
}
