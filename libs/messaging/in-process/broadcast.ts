import type { MessageType } from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import type { Listener, Subscription } from '../port.ts';
import { tell } from '../tell.ts';

/** Tells every subscriber of the messages of its types, each in a turn of the event loop of its own and never inside publish. */
export class Broadcast {
  readonly #listeners = new Map<Listener, readonly MessageType[]>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  subscribe(types: readonly MessageType[], listener: Listener): Subscription {
    // The same function may listen twice.
    const one: Listener = (message) => listener(message);
    this.#listeners.set(one, types);
    return {
      ready: () => (this.#listeners.has(one) ? null : 'closed'),
      close: async () => {
        this.#listeners.delete(one);
      },
    };
  }

  tell(type: MessageType, wire: string): void {
    for (const [listener, types] of this.#listeners) {
      if (!types.includes(type)) continue;
      setImmediate(() => {
        if (this.#listeners.has(listener)) tell(listener, () => wire, this.#log);
      });
    }
  }

  close(): void {
    this.#listeners.clear();
  }
}
