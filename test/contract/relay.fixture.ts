import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A body between a client and a server of one's own, to be cut or held. */
export interface Relay {
  /** `host:port` for the client. */
  readonly address: string;
  /** Nothing passes and nothing is closed, as when a machine hangs or a firewall swallows packets. */
  hold(): void;
  /** Connections are reset, and new ones too. */
  cut(): void;
  /** As good as new, also for connections that were held. */
  mend(): void;
  close(): Promise<void>;
}

/** @param change rewrites what the server sends, chunk by chunk */
export async function relayTo(
  target: { host: string; port: number },
  change: (chunk: Buffer) => Buffer = (chunk) => chunk,
): Promise<Relay> {
  const sockets = new Set<Socket>();
  let state: 'whole' | 'held' | 'cut' = 'whole';
  const server = createServer((inner) => {
    if (state === 'cut') {
      inner.resetAndDestroy();
      return;
    }
    const outer = connect(target);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => to.write(from === outer ? change(chunk) : chunk));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (state === 'held') from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold() {
      state = 'held';
      for (const socket of sockets) socket.pause();
    },
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend() {
      state = 'whole';
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @returns a change for `relayTo`: MongoDB and RabbitMQ tell another major version of one digit */
export function inVersion(major: number): (chunk: Buffer) => Buffer {
  // Both name a string `version`; a byte for its kind and four for its length follow.
  const version = /(version[\s\S]{5})\d(?=\.\d)/;
  return (chunk) =>
    Buffer.from(
      chunk.toString('latin1').replace(version, (_, before) => before + major),
      'latin1',
    );
}
