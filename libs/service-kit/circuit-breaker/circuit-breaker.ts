import Opossum from 'opossum';
import { type Failure, failureOf, WorkError } from '../failures.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { withDeadline } from './deadline.ts';
import { OutcomeWindow } from './window.ts';

/** Outcomes there must be before a circuit opens; it then opens when more than half of the last twenty were failures. */
const ENOUGH_OUTCOMES = 5;
const WINDOW_MS = 60_000;
const OPEN_MS = 10_000;
/** After how long to come again while another call finds out whether the dependency is back. */
const COME_AGAIN_MS = 1_000;

export type CircuitState = 'closed' | 'half-open' | 'open';
const STATE_VALUES: Record<CircuitState, number> = { closed: 0, 'half-open': 1, open: 2 };

export interface CircuitBreakerOptions {
  /** What a caller is told while the circuit is open, and when a call was not answered in time. */
  unavailable: { code: string; message: string };
  /** Milliseconds that a call may take. */
  deadlineMs: number;
  /** Milliseconds from opening to the first try. */
  openMs?: number;
  log: Logger;
  metrics: Metrics;
}

export interface CallOptions {
  /** The caller's: a call that it gives up says nothing of the dependency. */
  signal?: AbortSignal | undefined;
  /** Milliseconds, instead of the breaker's; null where the caller's own stream sets the pace. */
  deadlineMs?: number | null;
}

/** Thrown without asking the dependency, or when asking found it still away. With a queue in front: take nothing until `retryAt`, and count nothing against the call. */
export class CircuitOpen extends WorkError {
  override name = 'CircuitOpen';
  readonly retryAt: Date;
  constructor(unavailable: { code: string; message: string }, retryAt: Date, cause?: unknown) {
    super({ kind: 'transient', ...unavailable }, cause === undefined ? {} : { cause });
    this.retryAt = retryAt;
  }
}

export interface CircuitBreaker {
  readonly state: CircuitState;
  /** When a call last succeeded; null when none has. */
  readonly answeredAt: Date | null;
  /** Before this time every call is refused; null when the circuit is closed, or half-open and waiting for a call to try. */
  readonly openUntil: Date | null;
  /**
   * Asks the dependency. What `call` throws must be classified already (WorkError): the kinds in `COUNTED` count against the
   * dependency. All others say nothing of its health: they neither open a circuit nor close one.
   * @param call is given a signal of its own, which aborts at the deadline and with the caller's
   * @throws CircuitOpen; WorkError `transient` with the same code at the deadline; the caller's abort reason; what `call` throws
   */
  run<T>(call: (signal: AbortSignal) => Promise<T>, options?: CallOptions): Promise<T>;
}

/**
 * One for each remote dependency of a process.
 * @param name of the dependency, in metrics and logs, e.g. `accounts`
 */
export function circuitBreaker(name: string, options: CircuitBreakerOptions): CircuitBreaker {
  return new OpossumBreaker(name, options);
}

/** What the circuit was when a call began. Its end counts for that time alone: a late answer neither closes nor opens what came after. */
interface Admission {
  era: number;
  isTry: boolean;
}

/**
 * opossum keeps the count and the three states. It is told how a call ended rather than given the call to make, because it counts calls when they begin (slow ones leave its
 * window before they fail), its time-outs cancel nothing or everything, and in half-open it takes what is filtered for a success.
 */
class OpossumBreaker implements CircuitBreaker {
  readonly #name: string;
  readonly #options: CircuitBreakerOptions & { openMs: number };
  readonly #window: OutcomeWindow;
  readonly #circuit: Opossum<[WorkError | null], void>;
  /** Counts the changes of state. */
  #era = 0;
  #openUntilMs = 0;
  #rateLimitedUntilMs = 0;
  /** When the last try in half-open began, as performance.now(); null when none is under way. */
  #triedAt: number | null = null;
  #lastFailure: WorkError | null = null;
  #answeredAt: Date | null = null;

  constructor(name: string, options: CircuitBreakerOptions) {
    this.#name = name;
    this.#options = { openMs: OPEN_MS, ...options };
    // One caller alone, each of whose calls takes all the time it may, must be able to open it.
    this.#window = new OutcomeWindow(Math.max(WINDOW_MS, ENOUGH_OUTCOMES * 2 * options.deadlineMs));
    this.#circuit = new Opossum(ended, {
      ...this.#window.options,
      name,
      timeout: false,
      resetTimeout: this.#options.openMs,
      volumeThreshold: ENOUGH_OUTCOMES,
      errorThresholdPercentage: 50,
      enableSnapshots: false,
      rollingPercentilesEnabled: false,
    });
    this.#circuit.on('open', () => this.#changed('open'));
    this.#circuit.on('halfOpen', () => this.#changed('half-open'));
    this.#circuit.on('close', () => this.#changed('closed'));
    options.metrics.circuitBreakerState.set({ dependency: name }, STATE_VALUES.closed);
  }

  get state(): CircuitState {
    if (this.#circuit.closed) return 'closed';
    return this.#circuit.opened ? 'open' : 'half-open';
  }

  get answeredAt(): Date | null {
    return this.#answeredAt;
  }

  get openUntil(): Date | null {
    if (this.#circuit.closed) return null;
    const until = Math.max(this.#openUntilMs, this.#rateLimitedUntilMs);
    return this.#circuit.opened || until > Date.now() ? new Date(until) : null;
  }

  async run<T>(
    call: (signal: AbortSignal) => Promise<T>,
    { signal, deadlineMs = this.#options.deadlineMs }: CallOptions = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    const admission = this.#admit();
    try {
      const result = await withDeadline(call, { deadlineMs, signal, late: () => this.#late(deadlineMs) });
      this.#answeredAt = new Date();
      this.#ended(admission, null);
      return result;
    } catch (error) {
      if (signal?.aborted !== true && countsAgainstDependency(error)) {
        this.#ended(admission, error);
        // It was made to see whether the dependency is back, and tells of that alone: not of what it was about.
        if (admission.isTry) throw this.#refusal(error);
      } else if (admission.isTry && admission.era === this.#era) this.#triedAt = null;
      throw error;
    }
  }

  #admit(): Admission {
    if (this.#circuit.closed) return { era: this.#era, isTry: false };
    const now = performance.now();
    // A try without a deadline may take for ever: others need not wait as long.
    const tryGoesOn =
      this.#triedAt !== null && now - this.#triedAt < Math.max(this.#options.openMs, this.#options.deadlineMs);
    if (this.#circuit.opened || tryGoesOn || this.#rateLimitedUntilMs > Date.now()) throw this.#refusal();
    this.#triedAt = now;
    return { era: this.#era, isTry: true };
  }

  #refusal(cause?: unknown): CircuitOpen {
    const retryAt = new Date(Math.max(this.openUntil?.getTime() ?? 0, Date.now() + COME_AGAIN_MS));
    return new CircuitOpen(this.#options.unavailable, retryAt, cause);
  }

  #ended({ era, isTry }: Admission, failure: WorkError | null): void {
    if (era !== this.#era) return;
    if (failure !== null) this.#lastFailure = failure;
    if (failure?.failure.kind === 'rate-limited')
      this.#rateLimitedUntilMs = Math.max(this.#rateLimitedUntilMs, failure.failure.until.getTime());
    if (isTry) {
      if (failure === null) this.#circuit.close();
      else this.#circuit.open();
      return;
    }
    this.#window.makeRoom();
    this.#circuit.fire(failure).catch(() => {});
  }

  #changed(state: CircuitState): void {
    const { metrics, log, openMs } = this.#options;
    this.#era += 1;
    this.#triedAt = null;
    metrics.circuitBreakerState.set({ dependency: this.#name }, STATE_VALUES[state]);
    const dependency = this.#name;
    if (state === 'open') {
      this.#openUntilMs = Date.now() + openMs;
      log.warn({ dependency, until: this.openUntil, err: this.#lastFailure }, 'circuit open: calls are refused');
    } else if (state === 'half-open') {
      log.info({ dependency }, 'circuit half-open: the next call tries');
    } else {
      this.#window.forget();
      this.#rateLimitedUntilMs = 0;
      this.#lastFailure = null;
      log.info({ dependency }, 'circuit closed: calls go through');
    }
  }

  #late(deadlineMs: number | null): WorkError {
    const cause = new Error(`${this.#name} did not answer within ${deadlineMs} ms`);
    return new WorkError({ kind: 'transient', ...this.#options.unavailable }, { cause });
  }
}

/** How a call ended, for opossum. A failure is thrown and not rejected, so that it counts before the caller hears of it. */
function ended(failure: WorkError | null): Promise<void> {
  if (failure !== null) throw failure;
  return Promise.resolve();
}

const COUNTED: readonly Failure['kind'][] = ['transient', 'unavailable', 'unanswered', 'rate-limited'];

/** A circuit that is open in another breaker was not this dependency's doing. */
function countsAgainstDependency(error: unknown): error is WorkError {
  return !(error instanceof CircuitOpen) && COUNTED.includes(failureOf(error).kind);
}
