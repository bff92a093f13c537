import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { obey } from '../harness/child.ts';

// The least that a Node server can do with an upload: pipe the body unchecked into a file and flush it to the disk.
// `/discard` throws the body away: what client and connection cost by themselves.

let port = 0;

await obey<{ dir: string }, null, number>(async ({ dir }) => {
  let files = 0;
  const server = createServer(async (request, response) => {
    files += 1;
    const sink = request.url === '/discard' ? discard() : createWriteStream(join(dir, String(files)), { flush: true });
    await pipeline(request, sink);
    response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  return async () => port;
});

function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
