import { setTimeout as delay } from 'node:timers/promises';
import { failureOf } from '../failures.ts';
import { degradedOf, type Part, type Running, reasonOf, startParts } from '../lifecycle.ts';
import type { Logger } from '../log.ts';
import { backoffMs } from '../timing.ts';

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
