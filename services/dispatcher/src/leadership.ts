import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { DispatcherStore } from '@call-analytics/calls';
import { type Clock, failureOf, type Logger } from '@call-analytics/service-kit';
import type { StoreOutage } from './loop.ts';

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
  readonly #gained: () => void;
  /** On the clock of `performance.now()`, which nobody can set. */
  #until = Number.NEGATIVE_INFINITY;
  #led = false;
  #failing: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #trying: Promise<void> = Promise.resolve();

  /** @param gained called when this process gets the role */
  constructor({
    store,
    clock,
    log,
    outage,
    gained,
  }: {
    store: Pick<DispatcherStore, 'lead' | 'resign'>;
    clock: Clock;
    log: Logger;
    outage: StoreOutage;
    gained: () => void;
  }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#outage = outage;
    this.#gained = gained;
  }

  get leads(): boolean {
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
    if (!this.leads) return;
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
      // A role that nobody renewed means that the store may have been away, which a new process has not seen.
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
    if (this.leads === this.#led) return;
    this.#led = this.leads;
    this.#log.info({ holder: this.#holder }, this.#led ? 'this dispatcher works now' : 'another dispatcher works now');
    if (this.#led) this.#gained();
  }
}
