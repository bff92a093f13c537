import { backoffMs, failureOf, type Logger } from '@call-analytics/service-kit';
import type { StoreAbsence } from './store-absence.ts';

/** What the dispatcher does at each tick, one thing at a time. */
export interface Step {
  /** Ends the sentence "could not ...". */
  name: string;
  run(): Promise<unknown>;
}

/** The waits after failures: short at first, so that a blink costs little, and never long. */
const RETRY = { firstMs: 100, capMs: 5_000 };

interface Spell {
  code: string;
  failures: number;
  /** On the clock of `performance.now()`, which nobody sets. */
  retryAt: number;
}

/**
 * Runs the steps in order. One that fails is left out until its next try and does not keep the others from running; when the store is what failed, all are left
 * out, because they would only fail too. A spell of failures is logged when it begins and when it is over, however long it lasts.
 */
export class Steps {
  readonly #steps: readonly Step[];
  readonly #log: Logger;
  readonly #absence: StoreAbsence | null;
  readonly #spells = new Map<Step, Spell>();
  #storeRetryAt = 0;

  constructor(steps: readonly Step[], log: Logger, absence: StoreAbsence | null = null) {
    this.#steps = steps;
    this.#log = log;
    this.#absence = absence;
  }

  /** @returns null, or what does not work at present */
  get failing(): string | null {
    const [first] = this.#spells;
    return first === undefined ? null : `could not ${first[0].name}: ${first[1].code}`;
  }

  /** Another process runs the steps now: what failed here says nothing any more. */
  forget(): void {
    this.#spells.clear();
    this.#storeRetryAt = 0;
  }

  /** Never throws. @returns in how many ms a step that failed is to be tried again; infinity when none failed */
  async run(): Promise<number> {
    for (const step of this.#steps) {
      if (this.#retryAt(this.#spells.get(step)) > performance.now()) continue;
      try {
        await step.run();
        if (this.#spells.delete(step)) this.#log.info({}, `can ${step.name} again`);
      } catch (error) {
        const next = this.#failed(step, error);
        if (next.code !== 'store_unavailable' && next.code !== 'store_full') continue;
        this.#storeRetryAt = next.retryAt;
        this.#absence?.notice();
      }
    }
    const next = Math.min(...[...this.#spells.values()].map((spell) => this.#retryAt(spell)));
    return Math.max(1, next - performance.now());
  }

  #retryAt(spell: Spell | undefined): number {
    return Math.max(spell?.retryAt ?? 0, this.#storeRetryAt);
  }

  #failed(step: Step, error: unknown): Spell {
    const { kind, code } = failureOf(error);
    const before = this.#spells.get(step);
    if (before?.code !== code)
      this.#log[kind === 'bug' ? 'error' : 'warn']({ err: error, code }, `could not ${step.name}; trying again`);
    const failures = (before?.failures ?? 0) + 1;
    const spell = { code, failures, retryAt: performance.now() + backoffMs(failures, RETRY) };
    this.#spells.set(step, spell);
    return spell;
  }
}
