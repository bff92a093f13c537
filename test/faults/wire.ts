import type { CreatedProxy } from '@testcontainers/toxiproxy';

type Toxic = Pick<Parameters<CreatedProxy['instance']['addToxic']>[0], 'type' | 'stream' | 'attributes'> & {
  toxicity?: number;
};

/** The network between the services and a server. What is done to it lasts until it is healed; a server that starts again is found behind the same address. */
export class Wire {
  readonly host: string;
  readonly port: number;
  readonly #proxy: CreatedProxy;
  #toxics: { remove(): Promise<void> }[] = [];
  #made = 0;

  constructor(proxy: CreatedProxy) {
    this.host = proxy.host;
    this.port = proxy.port;
    this.#proxy = proxy;
  }

  get address(): string {
    return `${this.host}:${this.port}`;
  }

  /** Connections end, and new ones are refused. */
  async refuse(): Promise<void> {
    await this.#proxy.setEnabled(false);
  }

  /** Connections stay and new ones are taken, and nothing comes through: nobody is told. */
  async swallow(): Promise<void> {
    await this.#add({ type: 'timeout', stream: 'upstream', attributes: { timeout: 0 } });
    await this.#add({ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } });
  }

  async slowDown(bytesPerSecond: number): Promise<void> {
    const attributes = { rate: bytesPerSecond / 1_000 };
    await this.#add({ type: 'bandwidth', stream: 'upstream', attributes });
    await this.#add({ type: 'bandwidth', stream: 'downstream', attributes });
  }

  /** Ends each connection when so many bytes have gone through in a direction: in the middle of whatever is on its way then. */
  async cutAfter(bytes: number, stream: 'upstream' | 'downstream'): Promise<void> {
    await this.#add({ type: 'limit_data', stream, attributes: { bytes } });
  }

  /** Resets connections, also those that are made meanwhile. @param share of them, 0 to 1 */
  async reset(share: number, afterMs: number): Promise<void> {
    await this.#add({ type: 'reset_peer', stream: 'downstream', toxicity: share, attributes: { timeout: afterMs } });
  }

  async heal(): Promise<void> {
    await Promise.all(this.#toxics.splice(0).map((toxic) => toxic.remove()));
    await this.#proxy.setEnabled(true);
  }

  async #add({ toxicity = 1, ...toxic }: Toxic): Promise<void> {
    this.#made += 1;
    this.#toxics.push(await this.#proxy.instance.addToxic({ name: `toxic_${this.#made}`, toxicity, ...toxic }));
  }
}
