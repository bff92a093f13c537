import { once } from 'node:events';
import { createServer } from 'node:net';

/** @returns the wanted port, or `0` (any free one) when something else listens there, so that a demo never fails for that */
export async function freePortOr(wanted: string): Promise<string> {
  const server = createServer();
  try {
    server.listen(Number(wanted));
    await once(server, 'listening');
    return wanted;
  } catch {
    return '0';
  } finally {
    server.close();
  }
}
