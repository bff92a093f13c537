import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Answer, type ConnectionBounds, serveBounded } from './bounded-connections.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the buffers of the system hold between two sockets. */
const LARGE = Buffer.alloc(32 * 2 ** 20);

describe('a server with bounded connections', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  async function serve(answer: Answer, bounds: ConnectionBounds = {}) {
    const closed: string[] = [];
    const server = createServer();
    const { drain } = serveBounded(server, answer, { onClose: (reason) => closed.push(reason), ...bounds });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, closed, drain, port: (server.address() as AddressInfo).port };
  }

  async function open(port: number): Promise<{ socket: Socket; received(): string }> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    let received = '';
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.on('data', (data) => (received += data.subarray(0, 2 ** 16).toString('latin1')));
    return { socket, received: () => received };
  }

  it('answers pipelined requests in their order', async () => {
    let asked = 0;
    const { port } = await serve((_req, res) => {
      asked += 1;
      res.end(`answer ${asked}`);
    });
    const { socket, received } = await open(port);
    socket.write(REQUEST.repeat(15) + REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await once(socket, 'end');
    expect(received().match(/answer \d+/g)).toEqual(Array.from({ length: 16 }, (_, i) => `answer ${i + 1}`));
  });

  it('keeps a connection until it drains, and then closes it with the next answer', async () => {
    const { port, drain } = await serve((_req, res) => res.end('answer'));
    const { socket, received } = await open(port);
    const answers = () => received().match(/Connection: (close|keep-alive)/g);
    socket.write(REQUEST);
    await once(socket, 'data');
    drain();
    expect(answers()).toEqual(['Connection: keep-alive']);
    socket.write(REQUEST);
    await once(socket, 'end');
    expect(answers()).toEqual(['Connection: keep-alive', 'Connection: close']);
  });

  it('closes a connection with more unanswered requests than allowed, and works on one of them only', async () => {
    let asked = 0;
    let parsed = 0;
    const { port, closed, server } = await serve(() => {
      asked += 1;
    });
    server.on('request', () => {
      parsed += 1;
    });
    const { socket } = await open(port);
    socket.write(REQUEST.repeat(1_524));
    await once(socket, 'close');
    // Node would make the rest of what it has read into requests and responses first.
    expect({ asked, parsed, closed }).toEqual({ asked: 1, parsed: 17, closed: ['pipelining'] });
  });

  it('warns once when Node has no parser that can be stopped, and goes on', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { port, server } = await serve((_req, res) => res.end('answer'));
    // As in a version of Node that calls it otherwise.
    server.prependListener('request', ({ socket }) =>
      Object.assign((socket as unknown as { parser: object }).parser, { onIncoming: undefined }),
    );
    for (let connections = 0; connections < 2; connections += 1) {
      const { socket } = await open(port);
      socket.write(REQUEST);
      await once(socket, 'data');
    }
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining(process.version), { code: 'CALL_ANALYTICS_HTTP_PARSER' }],
    ]);
    warn.mockRestore();
  });

  it('does not work on the next request of a client that has not taken the answer before', async () => {
    let asked = 0;
    const { port } = await serve((_req, res) => {
      asked += 1;
      res.end(LARGE);
    });
    const { socket } = await open(port);
    socket.pause();
    socket.write(REQUEST.repeat(3));
    // Another connection, asked twice, shows that the server has had its turn since.
    const other = await open(port);
    other.socket.write(REQUEST);
    await once(other.socket, 'data');
    expect(asked).toBe(2);
    socket.resume();
    for (let bytes = 0; bytes < 3 * LARGE.length; ) bytes += ((await once(socket, 'data')) as [Buffer])[0].length;
    expect(asked).toBe(4);
  });

  it('closes a connection whose client does not read its answer', async () => {
    const { port, closed, server } = await serve((_req, res) => void res.end(LARGE), {
      readGraceMs: 20,
      readBytesPerSecond: 2 ** 30,
      sweepMs: 10,
    });
    const ended = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    const { socket } = await open(port);
    socket.pause();
    socket.write(REQUEST);
    await ended;
    expect(closed).toEqual(['slow reader']);
  });

  it('leaves open what has no end of its own, and what is not answered yet', async () => {
    let sweeps = 0;
    const bounds = { readGraceMs: 0, readBytesPerSecond: 2 ** 30, sweepMs: 5 };
    const waits: (() => void)[] = [];
    const { port, closed } = await serve(
      (req, res) => {
        if (req.url === '/stream') res.writeHead(200).write('first');
        else waits.push(() => res.end('done'));
      },
      { ...bounds, isStream: ({ req }) => (req.url === '/stream' ? ++sweeps > 0 : false) },
    );
    const stream = await open(port);
    stream.socket.write(REQUEST.replace('/', '/stream'));
    const late = await open(port);
    late.socket.write(REQUEST);
    while (sweeps < 5) await once(stream.socket, 'data', { signal: AbortSignal.timeout(5) }).catch(() => {});
    waits[0]?.();
    await once(late.socket, 'data');
    expect(late.received()).toContain('done');
    expect(closed).toEqual([]);
  });
});
