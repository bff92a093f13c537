interface Scheduled {
  at: number;
  /** Breaks ties: first in, first out. */
  order: number;
  run: (() => void) | null;
}

/** What setTimeout and setImmediate return in here. */
class SimulatedTimer {
  readonly scheduled: Scheduled;

  constructor(scheduled: Scheduled) {
    this.scheduled = scheduled;
  }

  ref = () => this;
  unref = () => this;
  hasRef = () => true;
}

/**
 * Replaces the timers and the monotonic clock of this process, so that an hour of a program passes as fast as it
 * computes. Only for a process that does nothing else.
 */
export class SimulatedTime {
  /** In ms since `install`. */
  #now = 0;
  #order = 0;
  #turnBeganAt = processorMs();
  readonly #heap: Scheduled[] = [];
  readonly #realImmediate = setImmediate;

  /** In ms; goes on within a callback by the processor time it takes: other work on the machine does not count. */
  now = () => this.#now + (processorMs() - this.#turnBeganAt);

  install(): void {
    const cancel = (timer?: unknown) => {
      if (timer instanceof SimulatedTimer) timer.scheduled.run = null;
    };
    const setTimeout = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      this.at(this.#now + Math.max(1, ms), () => run(...args));
    const setImmediate = (run: (...args: unknown[]) => void, ...args: unknown[]) =>
      this.at(this.#now, () => run(...args));
    Object.assign(globalThis, { setTimeout, setImmediate, clearTimeout: cancel, clearImmediate: cancel });
    Object.defineProperty(performance, 'now', { value: this.now });
  }

  /** @param at in ms since `install`; what is past runs next */
  at(at: number, run: () => void): SimulatedTimer {
    const scheduled = { at: Math.max(at, this.#now), order: this.#order++, run };
    push(this.#heap, scheduled);
    return new SimulatedTimer(scheduled);
  }

  /**
   * @param turnEnded gets the processor time of each callback and of what it awaited, in ms
   * @returns at the given time, in ms since `install`
   */
  async runUntil(end: number, turnEnded: (tookMs: number) => { timePasses: boolean }): Promise<void> {
    for (let next = pop(this.#heap, end); next !== null; next = pop(this.#heap, end)) {
      if (next.run === null) continue;
      this.#now = Math.max(this.#now, next.at);
      this.#turnBeganAt = processorMs();
      next.run();
      await new Promise<void>((resolve) => this.#realImmediate(() => resolve()));
      const tookMs = processorMs() - this.#turnBeganAt;
      if (turnEnded(tookMs).timePasses) this.#now += tookMs;
    }
    this.#now = Math.max(this.#now, end);
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const isBefore = (one: Scheduled, other: Scheduled) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap: the earliest is at 0. */
function push(heap: Scheduled[], scheduled: Scheduled): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Scheduled;
    if (!isBefore(scheduled, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = scheduled;
}

/** @returns the earliest, or null when it is not due by `end` */
function pop(heap: Scheduled[], end: number): Scheduled | null {
  const [first] = heap;
  if (first === undefined || first.at > end) return null;
  const last = heap.pop() as Scheduled;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    if (left >= heap.length) break;
    const child = right < heap.length && isBefore(heap[right] as Scheduled, heap[left] as Scheduled) ? right : left;
    if (!isBefore(heap[child] as Scheduled, last)) break;
    heap[at] = heap[child] as Scheduled;
    at = child;
  }
  heap[at] = last;
  return first;
}
