import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { DispatcherStore } from '@call-analytics/calls';
import { backoffMs, type Clock, failureOf, type Logger } from '@call-analytics/service-kit';

// The loop of the dispatcher: when a tick begins, what runs in it, and what happens when a step fails.
// All times are on the clock of `performance.now()`, which cannot be set.

/**
 * The least and the most time between the starts of two ticks, in ms. In between it is twice the duration of the first
 * tick, so that a busy store is left alone half of the time.
 */
const TICK_SPACING_MS = { least: 5, most: 50 };
/** Under load the next wake comes within this time; before it is over, the time of the next work is not asked for. */
const QUIET_MS = 10;
/** The delays after failures of a step. */
const RETRY = { firstMs: 100, capMs: 5_000 };
/**
 * Workers find out within this time, in ms, that the store is back: their circuit breakers stay open for ten seconds
 * after a failed attempt, and a waiting write is retried within two.
 */
const WORKERS_FIND_OUT_MS = 15_000;

/** Calls `tick` again and again, one at a time: soon after each `wake`, and when the delay after the last tick ends. */
export class Ticker {
  readonly #tick: () => Promise<number>;
  readonly #untilNext: () => Promise<number>;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | null = null;
  /** Cancels the tick that is about to begin. */
  #cancel: (() => void) | null = null;
  #notBefore = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;
  #woken = false;
  #stopped = false;

  /**
   * @param tick never throws; returns the longest delay until the next tick, in ms
   * @param untilNext never throws; returns when there is something to do, in ms. Asked only when there is time to wait
   * @param everyMs the longest delay, always
   */
  constructor(tick: () => Promise<number>, untilNext: () => Promise<number>, everyMs: number) {
    this.#tick = tick;
    this.#untilNext = untilNext;
    this.#everyMs = everyMs;
  }

  /** Many wakes at once make one tick. At rest the tick begins at the end of this turn of the event loop. */
  wake(): void {
    this.#woken = true;
    if (this.#stopped || this.#running !== null || this.#cancel !== null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const begin = () => {
      this.#cancel = null;
      this.#running = this.#run();
    };
    const delayMs = this.#notBefore - performance.now();
    if (delayMs > 0) {
      const timer = setTimeout(begin, delayMs);
      this.#cancel = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(begin);
      this.#cancel = () => clearImmediate(immediate);
    }
  }

  /** Begins no more ticks. @returns when the running one has ended */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#cancel?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#woken = false;
    const beganAt = performance.now();
    const atMostMs = Math.min(this.#everyMs, await this.#tick());
    const tookMs = performance.now() - beganAt;
    this.#notBefore = beganAt + Math.min(TICK_SPACING_MS.most, Math.max(TICK_SPACING_MS.least, 2 * tookMs));
    const quietMs = Math.min(atMostMs, QUIET_MS);
    this.#next(quietMs, () => {
      this.#running = this.#rest(atMostMs - quietMs);
    });
  }

  async #rest(atMostMs: number): Promise<void> {
    const delayMs = Math.min(atMostMs, await this.#untilNext());
    this.#next(delayMs, () => this.wake());
  }

  #next(delayMs: number, then: () => void): void {
    this.#running = null;
    if (this.#stopped) return;
    if (this.#woken) this.wake();
    else this.#timer = setTimeout(then, delayMs);
  }
}

interface Step {
  /** Completes the sentence "could not ...". */
  name: string;
  run(): Promise<unknown>;
}

interface Failing {
  code: string;
  failures: number;
  retryAt: number;
}

/**
 * Runs the steps of a tick in order; a failed step is skipped until its next attempt, and all are when the store
 * failed. The first failure and the recovery are logged, nothing in between.
 */
export class Steps {
  readonly #steps: readonly Step[];
  readonly #log: Logger;
  readonly #outage: StoreOutage | null;
  readonly #failing = new Map<Step, Failing>();
  #storeRetryAt = 0;

  constructor(steps: readonly Step[], log: Logger, outage: StoreOutage | null = null) {
    this.#steps = steps;
    this.#log = log;
    this.#outage = outage;
  }

  /** @returns null, or what currently fails */
  get failing(): string | null {
    const [first] = this.#failing;
    return first === undefined ? null : `could not ${first[0].name}: ${first[1].code}`;
  }

  /** Never throws. @returns in how many ms a failed step is due again; infinity when none failed */
  async run(): Promise<number> {
    for (const step of this.#steps) {
      if (this.#retryAt(this.#failing.get(step)) > performance.now()) continue;
      try {
        await step.run();
        if (this.#failing.delete(step)) this.#log.info({}, `can ${step.name} again`);
      } catch (error) {
        const { code, retryAt } = this.#failed(step, error);
        if (code !== 'store_unavailable' && code !== 'store_full') continue;
        this.#storeRetryAt = retryAt;
        this.#outage?.notice();
      }
    }
    const next = Math.min(...[...this.#failing.values()].map((failing) => this.#retryAt(failing)));
    return Math.max(1, next - performance.now());
  }

  /** Another process runs the steps now, so earlier failures of this one no longer count. */
  clearFailures(): void {
    this.#failing.clear();
    this.#storeRetryAt = 0;
  }

  #retryAt(failing: Failing | undefined): number {
    return Math.max(failing?.retryAt ?? 0, this.#storeRetryAt);
  }

  #failed(step: Step, error: unknown): Failing {
    const { kind, code } = failureOf(error);
    const before = this.#failing.get(step);
    if (before?.code !== code)
      this.#log[kind === 'bug' ? 'error' : 'warn']({ err: error, code }, `could not ${step.name}; trying again`);
    const failures = (before?.failures ?? 0) + 1;
    const failing = { code, failures, retryAt: performance.now() + backoffMs(failures, RETRY) };
    this.#failing.set(step, failing);
    return failing;
  }
}

/**
 * Remembers when the store was last unavailable. Leases that expired meanwhile say nothing about workers, who may hold
 * paid results, so they count as expired only after they could have been renewed once more.
 */
export class StoreOutage {
  readonly #leaseMs: number;
  #lastNoticedAt = Number.NEGATIVE_INFINITY;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** The store did not answer just now. */
  notice(): void {
    this.#lastNoticedAt = performance.now();
  }

  /** @returns whether every living worker has had the time to renew its leases since */
  get isPast(): boolean {
    return performance.now() - this.#lastNoticedAt > Math.max(this.#leaseMs, WORKERS_FIND_OUT_MS);
  }
}

/**
 * For work that is not needed after every change. A run that throws does not count.
 * @param isDue runs it earlier
 * @returns a function that runs `run` if the last run is at least `ms` ago
 */
export function atMostEvery(ms: number, run: () => Promise<unknown>, isDue = () => false): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    if (now - last < ms && !isDue()) return;
    await run();
    last = now;
  };
}

/**
 * Waits until all have ended, so that a failure does not hold up the others.
 * @returns the results, and `throwFailure`, which throws the first failure if there was one
 */
export async function allSettled<T>(promises: readonly Promise<T>[]): Promise<{ values: T[]; throwFailure(): void }> {
  const results = await Promise.allSettled(promises);
  return {
    values: results.filter((result) => result.status === 'fulfilled').map(({ value }) => value),
    throwFailure() {
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  };
}

const ROLE = 'dispatcher';
/** Another dispatcher takes over at most this time plus one try after the last renewal. */
const HELD_FOR_MS = 6_000;
const TRY_EVERY_MS = 2_000;
/** While the store answers, a free role is taken within this time: one try, and some for clocks that differ. */
const TAKEN_WITHIN_MS = 2 * TRY_EVERY_MS;

/**
 * Which of several dispatchers works: the one that holds the role in the store; the others keep asking for it. Two may
 * hold it for a moment (clocks differ, a process slept), which does no harm, because every grant is a guarded write.
 */
export class Leadership {
  readonly #store: Pick<DispatcherStore, 'lead' | 'resign'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  readonly #outage: StoreOutage;
  readonly #onElected: () => void;
  /** On the clock of `performance.now()`, which cannot be set. */
  #until = Number.NEGATIVE_INFINITY;
  #wasLeader = false;
  #failing: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #trying: Promise<void> = Promise.resolve();

  /** @param onElected called when this process gets the role */
  constructor({
    store,
    clock,
    log,
    outage,
    onElected,
  }: {
    store: Pick<DispatcherStore, 'lead' | 'resign'>;
    clock: Clock;
    log: Logger;
    outage: StoreOutage;
    onElected: () => void;
  }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#outage = outage;
    this.#onElected = onElected;
  }

  get isLeader(): boolean {
    return performance.now() < this.#until;
  }

  /** @returns null, or why the store could not be asked for the role */
  get failing(): string | null {
    return this.#failing;
  }

  start(): void {
    const next = () => {
      this.#trying = this.#try().finally(() => {
        if (this.#timer !== null) this.#timer = setTimeout(next, TRY_EVERY_MS);
      });
    };
    this.#timer = setTimeout(next, 0);
  }

  /** Gives the role up, so that another dispatcher takes over at once. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#trying;
    if (!this.isLeader) return;
    this.#until = Number.NEGATIVE_INFINITY;
    await this.#store
      .resign(ROLE, this.#holder, this.#clock.now())
      .catch((error) => this.#log.warn({ err: error }, 'could not give up the role'));
  }

  async #try(): Promise<void> {
    const began = performance.now();
    const now = this.#clock.now();
    try {
      const freeSince = await this.#store.lead(ROLE, this.#holder, now, new Date(now.getTime() + HELD_FOR_MS));
      // A role that expired means that the store may have been unavailable, which a new process has not seen.
      if (freeSince !== null && now.getTime() - freeSince.getTime() > TAKEN_WITHIN_MS) this.#outage.notice();
      this.#until = freeSince !== null ? began + HELD_FOR_MS : Number.NEGATIVE_INFINITY;
      this.#failing = null;
    } catch (error) {
      // A dispatcher without the role asks the store nothing else, so it notices an outage only here.
      this.#outage.notice();
      // The role stays until its time is over: the store did not answer.
      const { code } = failureOf(error);
      if (this.#failing === null) this.#log.warn({ err: error, code }, 'could not ask for the role of the dispatcher');
      this.#failing = `could not ask for the role of the dispatcher: ${code}`;
    }
    if (this.isLeader === this.#wasLeader) return;
    this.#wasLeader = this.isLeader;
    this.#log.info(
      { holder: this.#holder },
      this.#wasLeader ? 'this dispatcher has the role' : 'this dispatcher lost the role',
    );
    if (this.#wasLeader) this.#onElected();
  }
}
