import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that speaks HTTP by hand, for what no HTTP library would send. */
export class RawClient {
  readonly socket: Socket;
  #received = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      this.#received += text;
    });
    socket.on('error', () => {});
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  send(data: string | Buffer): void {
    this.socket.write(data);
  }

  get received(): string {
    return this.#received;
  }

  /** Resolves when what came matches. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#received)) {
      if (this.socket.closed) throw new Error(`closed before ${pattern}; received ${JSON.stringify(this.#received)}`);
      await this.#next('data', 'close');
    }
    return this.#received;
  }

  /** Resolves when the other side has closed. */
  async closed(): Promise<string> {
    this.socket.resume();
    if (!this.socket.closed) await this.#next('close');
    return this.#received;
  }

  /** Sends and waits until the other side takes more, or has closed. */
  async sendAll(data: string | Buffer): Promise<void> {
    if (!this.socket.closed && !this.socket.write(data)) await this.#next('drain', 'close');
  }

  /** Not `once` of node:events: that throws when the connection is reset, which is among the things that are tested. */
  #next(...events: string[]): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        for (const event of events) this.socket.off(event, done);
        resolve();
      };
      for (const event of events) this.socket.on(event, done);
    });
  }

  /** @returns the last answer received: status, headers by lower-case name, body */
  get answer(): { status: number; headers: Record<string, string>; body: string } {
    const start = [...this.#received.matchAll(/HTTP\/1\.1 \d{3} /g)].at(-1)?.index ?? 0;
    const [head = '', ...rest] = this.#received.slice(start).split('\r\n\r\n');
    const [line = '', ...headers] = head.split('\r\n');
    return {
      status: Number(line.split(' ')[1]),
      headers: Object.fromEntries(
        headers.map((header) => [
          header.slice(0, header.indexOf(':')).toLowerCase(),
          header.slice(header.indexOf(':') + 2),
        ]),
      ),
      body: rest.join('\r\n\r\n'),
    };
  }
}
