import type { Container } from './container.ts';
import type { Wire } from './wire.ts';

const READY = 'http://127.0.0.1:9000/minio/health/ready';

/** The store of recordings. */
export class Minio {
  readonly wire: Wire;
  readonly #container: Container;
  #isUp = true;

  constructor(container: Container, wire: Wire) {
    this.#container = container;
    this.wire = wire;
  }

  async down(): Promise<void> {
    if (!this.#isUp) return;
    this.#isUp = false;
    await this.#container.kill();
  }

  async up(): Promise<void> {
    if (this.#isUp) return;
    await this.#container.start();
    // Its port is taken before it answers there.
    await this.#container.exec('sh', '-c', `until curl -sf ${READY}; do sleep 0.1; done`);
    this.#isUp = true;
  }

  /** Leaves no more room than so much on the disk. */
  async fill(leaveBytes: number): Promise<void> {
    const left = Number((await this.#container.exec('df', '--output=avail', '-B1', '/data')).trim().split('\n').at(-1));
    await this.#container.exec('fallocate', '-l', String(left - leaveBytes), '/data/fill');
  }

  async makeRoom(): Promise<void> {
    await this.#container.exec('rm', '-f', '/data/fill');
  }

  async heal(): Promise<void> {
    await Promise.all([this.up(), this.wire.heal()]);
    await this.makeRoom();
  }
}
