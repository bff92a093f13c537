import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** A connection whose client sends and never reads. */
export interface Unread {
  socket: Socket;
  /** Whether the server has closed it. */
  closed(): boolean;
}

/** Opens a connection, sends `data` and reads nothing. @throws Error when the connection cannot be made */
export async function sendUnread(port: number, data: string): Promise<Unread> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let closed = false;
  socket.pause();
  // A write to a connection that the server has reset ends in an error; that is what the attack looks for.
  socket.on('error', () => {
    closed = true;
  });
  socket.once('close', () => {
    closed = true;
  });
  socket.write(data);
  return { socket, closed: () => closed };
}

/** @returns ms until GET /healthz was answered on a new connection; Infinity when it was not within `limitMs` */
export async function healthMs(port: number, limitMs: number): Promise<number> {
  const began = performance.now();
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(limitMs),
    });
    await answer.arrayBuffer();
    return answer.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
