import type { Container } from './container.ts';
import type { Wire } from './wire.ts';

/** The call store and the accounts' store: a replica set of one member. */
export class Mongodb {
  readonly wire: Wire;
  readonly #container: Container;

  constructor(container: Container, wire: Wire) {
    this.#container = container;
    this.wire = wire;
  }

  /** Kills the primary and starts it again. */
  async restart(): Promise<void> {
    await this.#container.kill();
    await this.#container.start();
  }

  async heal(): Promise<void> {
    await this.wire.heal();
  }
}
