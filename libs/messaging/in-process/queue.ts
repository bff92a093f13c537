import type { QueueName } from '@call-analytics/contracts';

/** A message that waits: its text, and how often it has been delivered. */
export interface Waiting {
  wire: string;
  deliveries: number;
}

export interface Taker {
  /** Whether it can take one more message now. */
  free(): boolean;
  take(message: Waiting): void;
}

/** The messages of one queue and the consumers that share them. */
export class InProcessQueue {
  readonly name: QueueName;
  #waiting: Waiting[] = [];
  readonly #onTheirWay = new Set<NodeJS.Timeout>();
  #takers: Taker[] = [];
  #pump: NodeJS.Immediate | null = null;

  constructor(name: QueueName) {
    this.name = name;
  }

  /** Messages that wait, those whose time has not come included. */
  get depth(): number {
    return this.#waiting.length + this.#onTheirWay.size;
  }

  /** @param place where among the waiting it lands: 0 is the front, 1 the back */
  put(message: Waiting, { afterMs = 0, place = 1 }: { afterMs?: number; place?: number } = {}): void {
    if (afterMs > 0) {
      const timer = setTimeout(() => {
        this.#onTheirWay.delete(timer);
        this.put(message, { place });
      }, afterMs);
      this.#onTheirWay.add(timer);
      return;
    }
    this.#waiting.splice(Math.round(place * this.#waiting.length), 0, message);
    this.wake();
  }

  attach(taker: Taker): void {
    this.#takers.push(taker);
    this.wake();
  }

  detach(taker: Taker): void {
    this.#takers = this.#takers.filter((other) => other !== taker);
  }

  /**
   * Deliveries start in a turn of the event loop of their own, never inside publish. A store that answers without leaving the process would otherwise let a long
   * queue run to its end before any socket is read.
   */
  wake(): void {
    if (this.#waiting.length === 0) return;
    this.#pump ??= setImmediate(() => {
      this.#pump = null;
      this.#deliver();
    });
  }

  /** Forgets everything. */
  clear(): void {
    if (this.#pump !== null) clearImmediate(this.#pump);
    this.#pump = null;
    for (const timer of this.#onTheirWay) clearTimeout(timer);
    this.#onTheirWay.clear();
    this.#waiting = [];
  }

  #deliver(): void {
    for (;;) {
      const taker = this.#takers.find((one) => one.free());
      if (taker === undefined) return;
      const message = this.#waiting.shift();
      if (message === undefined) return;
      taker.take(message);
    }
  }
}
