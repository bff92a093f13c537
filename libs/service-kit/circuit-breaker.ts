import Opossum from 'opossum';
import { type Failure, WorkError } from './failures.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { OutcomeWindow } from './outcome-window.ts';

/** A circuit needs this many outcomes to open. It then opens when more than half of the last twenty were failures. */
const MIN_OUTCOMES = 5;
const WINDOW_MS = 60_000;
const OPEN_MS = 10_000;
/** When to retry while another call tries whether the dependency is back. */
const RETRY_DURING_TRIAL_MS = 1_000;

type CircuitState = 'closed' | 'half-open' | 'open';
const STATE_VALUES: Record<CircuitState, number> = { closed: 0, 'half-open': 1, open: 2 };

export interface CircuitBreakerOptions {
  /** The error of calls that are refused because the circuit is open, and of calls that exceed the deadline. */
  unavailable: { code: string; message: string };
  /** The timeout of a call, in milliseconds. */
  deadlineMs: number;
  /** The time from opening to the first trial call, in milliseconds. */
  openMs?: number;
  /** By default: transient, unavailable, unanswered and rate-limited. */
  countsAsFailure?: (failure: Failure) => boolean;
  log: Logger;
  metrics: Metrics;
}

interface CallOptions {
  /** The caller's signal. A call that its caller aborts says nothing about the dependency. */
  signal?: AbortSignal | undefined;
  /** Milliseconds, instead of the breaker's deadline; null where the caller's own stream sets the pace. */
  deadlineMs?: number | null;
}

/**
 * Thrown when the circuit is open, or when the trial call failed. A consumer of a queue takes nothing until `retryAt`
 * and counts nothing against the call.
 */
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
  /** Calls are refused before this time. Null when the circuit is closed, or half-open and ready for a trial call. */
  readonly openUntil: Date | null;
  /**
   * Calls the dependency. What `call` throws must be classified (WorkError): failures that do not count against the
   * dependency neither open nor close the circuit.
   * @param call receives a signal that aborts at the deadline and with the caller's signal
   * @throws CircuitOpen; WorkError `transient` with the same code at the deadline; the caller's abort reason; what
   *   `call` throws
   */
  run<T>(call: (signal: AbortSignal) => Promise<T>, options?: CallOptions): Promise<T>;
}

/** One for each remote dependency of a process. @param name of the dependency, in metrics and logs, e.g. `accounts` */
export function circuitBreaker(name: string, options: CircuitBreakerOptions): CircuitBreaker {
  return new OpossumBreaker(name, options);
}

/** Methods that give no promise cannot wait for a breaker, so they must be marked as direct. */
type MustBeDirect<Port> = {
  [Method in keyof Port as Port[Method] extends (...args: never[]) => Promise<unknown> ? never : Method]: 'direct';
};

/** How the methods of a port are called: through the breaker unless it says `direct`. */
type Routes<Port> = { readonly [Method in keyof Port]?: 'direct' | CallOptions } & Readonly<MustBeDirect<Port>>;

/**
 * @param routes names the methods that bypass the breaker (`direct`) or have a deadline of their own
 * @returns the port behind the breaker. It throws what the port throws, and CircuitOpen.
 */
export function withCircuitBreaker<Port extends object>(
  port: Port,
  breaker: CircuitBreaker,
  routes: Routes<Port>,
): Port {
  const methods = port as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const protectedPort: Record<string, unknown> = {};
  for (const name of methodNames(port)) {
    const method = methods[name]?.bind(port);
    const route = (routes as Record<string, 'direct' | CallOptions | undefined>)[name];
    if (method === undefined) continue;
    protectedPort[name] =
      route === 'direct' ? method : (...args: unknown[]) => breaker.run(async () => method(...args), route);
  }
  return protectedPort as Port;
}

/**
 * A circuit breaker for an engine that works on calls and keeps its own deadline for each request. While the circuit is
 * open, workers take no call, and no failure is counted against a call.
 * @param message what the owner of a call reads while the engine does not answer
 */
export function engineBreaker(
  name: string,
  { message, ...about }: { message: string; log: Logger; metrics: Metrics },
): {
  health: CircuitBreaker;
  /** Calls the engine with the options, whose signal is then that of the breaker. */
  run<Options extends { signal: AbortSignal }, T>(options: Options, call: (options: Options) => Promise<T>): Promise<T>;
} {
  const health = circuitBreaker(name, {
    unavailable: { code: 'engine_unavailable', message },
    deadlineMs: 60_000,
    ...about,
  });
  return {
    health,
    run: (options, call) =>
      health.run((signal) => call({ ...options, signal }), { signal: options.signal, deadlineMs: null }),
  };
}

/** Of the object and of its classes. */
function methodNames(port: object): string[] {
  const names = new Set<string>();
  for (let at = port; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
  }
  return [...names];
}

/** The state of the circuit when a call began. A late answer neither closes nor opens a later circuit. */
interface Admission {
  generation: number;
  isTrial: boolean;
}

/**
 * opossum keeps the count and the three states. It learns how a call ended and does not make the call: it counts calls
 * when they begin (slow ones leave its window before they fail), its timeouts cancel nothing or everything, and a
 * filtered error in half-open closes its circuit.
 */
class OpossumBreaker implements CircuitBreaker {
  readonly #name: string;
  readonly #options: Required<CircuitBreakerOptions>;
  readonly #window: OutcomeWindow;
  readonly #circuit: Opossum<[WorkError | null], void>;
  /** Counts the changes of state. */
  #generation = 0;
  #openUntilMs = 0;
  #rateLimitedUntilMs = 0;
  /** When the trial call in half-open began, as performance.now(); null when none runs. */
  #trialStartedAt: number | null = null;
  #lastFailure: WorkError | null = null;
  #answeredAt: Date | null = null;

  constructor(name: string, options: CircuitBreakerOptions) {
    this.#name = name;
    this.#options = { openMs: OPEN_MS, countsAsFailure: ({ kind }) => COUNTED.includes(kind), ...options };
    // A single caller whose calls all time out must be able to open it.
    this.#window = new OutcomeWindow(Math.max(WINDOW_MS, MIN_OUTCOMES * 2 * options.deadlineMs));
    this.#circuit = new Opossum(ended, {
      ...this.#window.options,
      name,
      timeout: false,
      resetTimeout: this.#options.openMs,
      volumeThreshold: MIN_OUTCOMES,
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
    const began = performance.now();
    try {
      const result = await this.#callWithDeadline(call, deadlineMs, signal);
      this.#measured(began, 'answered');
      this.#answeredAt = new Date();
      this.#ended(admission, null);
      return result;
    } catch (error) {
      const isFailure = this.#isFailure(error);
      if (signal?.aborted !== true) this.#measured(began, isFailure ? 'failed' : 'answered');
      if (signal?.aborted !== true && isFailure) {
        this.#ended(admission, error);
        // A trial call says that the dependency is still unavailable, and nothing about its own subject.
        if (admission.isTrial) throw this.#refusal(error);
      } else if (admission.isTrial && admission.generation === this.#generation) this.#trialStartedAt = null;
      throw error;
    }
  }

  #measured(began: number, outcome: 'answered' | 'failed'): void {
    const seconds = (performance.now() - began) / 1_000;
    this.#options.metrics.dependencySeconds.observe({ dependency: this.#name, outcome }, seconds);
  }

  /** Stops waiting at the deadline or the caller's abort, also when `call` ignores its signal. */
  async #callWithDeadline<T>(
    call: (signal: AbortSignal) => Promise<T>,
    deadlineMs: number | null,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const own = new AbortController();
    const onAbort = () => own.abort(signal?.reason);
    const timer =
      deadlineMs === null ? undefined : setTimeout(() => own.abort(this.#deadlineError(deadlineMs)), deadlineMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    // Listens before the call does, so that the caller gets this reason and not what the call makes of its signal.
    const aborted = new Promise<never>((_, reject) => {
      own.signal.addEventListener('abort', () => reject(own.signal.reason), { once: true });
    });
    try {
      return await Promise.race([call(own.signal), aborted]);
    } finally {
      clearTimeout(timer);
      // The caller's signal may live as long as the process.
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #admit(): Admission {
    if (this.#circuit.closed) return { generation: this.#generation, isTrial: false };
    const now = performance.now();
    // A trial call without a deadline may never end. Others do not wait that long.
    const trialRuns =
      this.#trialStartedAt !== null &&
      now - this.#trialStartedAt < Math.max(this.#options.openMs, this.#options.deadlineMs);
    if (this.#circuit.opened || trialRuns || this.#rateLimitedUntilMs > Date.now()) throw this.#refusal();
    this.#trialStartedAt = now;
    return { generation: this.#generation, isTrial: true };
  }

  #refusal(cause?: unknown): CircuitOpen {
    const retryAt = new Date(Math.max(this.openUntil?.getTime() ?? 0, Date.now() + RETRY_DURING_TRIAL_MS));
    return new CircuitOpen(this.#options.unavailable, retryAt, cause);
  }

  #ended({ generation, isTrial }: Admission, failure: WorkError | null): void {
    if (generation !== this.#generation) return;
    if (failure !== null) this.#lastFailure = failure;
    if (failure?.failure.kind === 'rate-limited')
      this.#rateLimitedUntilMs = Math.max(this.#rateLimitedUntilMs, failure.failure.until.getTime());
    if (isTrial) {
      if (failure === null) this.#circuit.close();
      else this.#circuit.open();
      return;
    }
    this.#window.makeRoom();
    this.#circuit.fire(failure).catch(() => {});
  }

  #changed(state: CircuitState): void {
    const { metrics, log, openMs } = this.#options;
    this.#generation += 1;
    this.#trialStartedAt = null;
    metrics.circuitBreakerState.set({ dependency: this.#name }, STATE_VALUES[state]);
    const dependency = this.#name;
    if (state === 'open') {
      this.#openUntilMs = Date.now() + openMs;
      log.warn({ dependency, until: this.openUntil, err: this.#lastFailure }, 'circuit open: requests are refused');
    } else if (state === 'half-open') {
      log.info({ dependency }, 'circuit half-open: the next request is a trial');
    } else {
      this.#window.forget();
      this.#rateLimitedUntilMs = 0;
      this.#lastFailure = null;
      log.info({ dependency }, 'circuit closed');
    }
  }

  #deadlineError(deadlineMs: number): WorkError {
    const cause = new Error(`${this.#name} did not answer within ${deadlineMs} ms`);
    return new WorkError({ kind: 'transient', ...this.#options.unavailable }, { cause });
  }

  /** The open circuit of another breaker was not this dependency's fault. */
  #isFailure(error: unknown): error is WorkError {
    return (
      error instanceof WorkError && !(error instanceof CircuitOpen) && this.#options.countsAsFailure(error.failure)
    );
  }
}

/** How a call ended, for opossum. It throws synchronously, so that the failure counts before the caller gets it. */
function ended(failure: WorkError | null): Promise<void> {
  if (failure !== null) throw failure;
  return Promise.resolve();
}

const COUNTED: readonly Failure['kind'][] = ['transient', 'unavailable', 'unanswered', 'rate-limited'];
