import type { Logger } from '@call-analytics/service-kit';
import type { Listener, Subscription } from '../port.ts';
import { tell } from '../tell.ts';

/** Tells every subscriber of every message, each in a turn of the event loop of its own and never inside publish. */
export class Broadcast {
  readonly #listeners = new Set<Listener>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  subscribe(listener: Listener): Subscription {
    // The same function may listen twice.
    const one: Listener = (message) => listener(message);
    this.#listeners.add(one);
    return {
      ready: () => (this.#listeners.has(one) ? null : 'closed'),
      close: async () => {
        this.#listeners.delete(one);
      },
    };
  }

  tell(wire: string): void {
    for (const listener of this.#listeners) {
      setImmediate(() => {
        if (this.#listeners.has(listener)) tell(listener, () => wire, this.#log);
      });
    }
  }

  close(): void {
    this.#listeners.clear();
  }
}
