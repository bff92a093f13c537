import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uploadHead } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';
import { RawClient } from '../testing/socket.fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway({ bounds: { readGraceMs: 100, readBytesPerSecond: 2 ** 30, sweepMs: 20 } });
});
afterAll(() => gateway.stop());

const DOCUMENT = 'GET /app/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const closings = () => gateway.log.filter(({ msg }) => msg === 'a connection was closed').map(({ reason }) => reason);

/** The server's side of the next connection. */
function nextAccepted() {
  const { promise: accepted, resolve } = Promise.withResolvers<Socket>();
  const take = (message: unknown) => resolve((message as { socket: Socket }).socket);
  subscribe('net.server.socket', take);
  return { accepted, ignore: () => unsubscribe('net.server.socket', take) };
}

describe('a connection', () => {
  it('has 16 unanswered requests at most: with more it is closed, and the log says why', async () => {
    const client = await RawClient.connect(gateway.port);
    client.socket.pause();
    const before = gateway.log.length;
    client.send(DOCUMENT.repeat(1_524));
    await client.closed();
    expect(closings()).toEqual(['pipelining']);
    const worked = gateway.log
      .slice(before)
      .filter(({ msg, route }) => msg === 'request' && route === '/app/openapi.json');
    expect(worked.length).toBeLessThan(16);
  });

  it('with 16 requests at once gets an answer to each', async () => {
    const client = await RawClient.connect(gateway.port);
    client.send(HEALTH.repeat(15) + HEALTH.replace('Host: x', 'Host: x\r\nConnection: close'));
    await client.closed();
    expect(client.received.match(/"status":"ok"/g)).toHaveLength(16);
  });

  it('is closed when its client stops reading in the middle of an answer', async () => {
    const client = await RawClient.connect(gateway.port);
    client.socket.pause();
    const answered = () =>
      gateway.log.filter(({ msg, route }) => msg === 'request' && route === '/app/openapi.json').length;
    // One answer after another until the buffers of the system are full, whatever their size is.
    while (!closings().includes('slow reader')) {
      const before = answered();
      client.send(DOCUMENT);
      await until(answered, (count) => count > before);
    }
    await client.closed();
    expect((await gateway.ask('/healthz')).status).toBe(200);
  });
});

describe('an answer', () => {
  const raw = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const client = await RawClient.connect(gateway.port);
    client.socket.setEncoding('latin1');
    const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    client.send(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    await client.closed();
    return client.answer;
  };

  it.each(['/api/v1/openapi.json', '/app/openapi.json'])(
    'to GET %s is compressed for clients that accept gzip',
    async (path) => {
      const [plain, packed] = [await raw(path), await raw(path, { 'Accept-Encoding': 'br, gzip' })];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(plain.headers.vary).toBe('Accept-Encoding');
      expect(gunzipSync(Buffer.from(packed.body, 'latin1')).toString('latin1')).toBe(plain.body);
      expect(packed.body.length).toBeLessThan(plain.body.length / 3);
      expect((await raw(path, { 'Accept-Encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
    },
  );

  it('with calls is compressed too; a small one, an error and what changes something are not', async () => {
    for (let i = 0; i < 10; i += 1)
      await gateway.calls.accept(
        {
          accountId: gateway.client.accountId,
          fileName: `${'x'.repeat(2_000)}.mp3`,
          reportType: 'medium',
          audio: { key: `rec_${i}`, bytes: 1, format: 'mp3', seconds: 1 },
          traceparent: null,
        },
        null,
      );
    const headers = { Authorization: `Bearer ${gateway.client.secret}`, 'Accept-Encoding': 'gzip' };
    const list = await raw('/api/v1/calls', headers);
    expect(list).toMatchObject({
      status: 200,
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    });
    const unpacked = JSON.parse(gunzipSync(Buffer.from(list.body, 'latin1')).toString()) as {
      total: number;
      calls: { id: string }[];
    };
    expect(unpacked.total).toBe(10);
    // The same large call, as it is read and as a change answers.
    const path = `/api/v1/calls/${unpacked.calls[0]?.id}`;
    expect((await raw(path, headers)).headers['content-encoding']).toBe('gzip');
    const restored = await raw(`${path}/restore`, headers, 'POST');
    expect({ status: restored.status, coding: restored.headers['content-encoding'] }).toEqual({
      status: 200,
      coding: undefined,
    });
    for (const path of ['/api/v1/me', '/api/v1/calls?limit=0', '/api/v1/calls/none'])
      expect((await raw(path, headers)).headers['content-encoding']).toBeUndefined();
  });
});

describe('Strict-Transport-Security', () => {
  it('is sent with every answer when PUBLIC_URL is https, and never otherwise', async () => {
    const behindTls = await runGateway({ settings: { PUBLIC_URL: 'https://calls.example.com' } });
    for (const path of ['/', '/docs', '/healthz', '/api/v1/me', '/api/v1/openapi.json', '/nothing']) {
      expect((await behindTls.ask(path)).headers.get('strict-transport-security')).toBe('max-age=31536000');
      expect((await gateway.ask(path)).headers.get('strict-transport-security')).toBeNull();
    }
    await behindTls.stop();
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['nonsense', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n', 400, 'malformed_request'],
    ['a request without a host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['a request with two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'very large headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('is answered in JSON: %s', async (_, request, status, code) => {
    const client = await RawClient.connect(gateway.port);
    client.send(request);
    await client.until(/requestId/);
    expect(client.answer).toMatchObject({ status, headers: { 'content-type': 'application/problem+json' } });
    const body = JSON.parse(client.answer.body) as object;
    expect(body).toMatchObject({ code, status, requestId: client.answer.headers['x-request-id'] });
    client.socket.destroy();
  });

  it('is not kept by a client that never closes its side', async () => {
    const { accepted, ignore } = nextAccepted();
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    const atServer = await accepted;
    ignore();
    socket.write('hello\r\n\r\n');
    await once(socket.resume(), 'end');
    await until(() => atServer.destroyed, 'the connection is closed');
    socket.destroy();
  });

  it('gets no second answer when the first is on its way', async () => {
    const client = await RawClient.connect(gateway.port);
    client.send(uploadHead('aca_wrong'));
    await client.until(/requestId/);
    client.send('not a length\r\n');
    const received = await client.closed();
    expect([...received.matchAll(/^HTTP/gm)]).toHaveLength(1);
    expect(received).not.toContain('malformed_request');
  });

  it('does not stop the server', async () => {
    expect((await gateway.ask('/healthz')).status).toBe(200);
  });
});

describe('one connection', () => {
  it('serves one request after the other', async () => {
    const client = await RawClient.connect(gateway.port);
    const head = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${gateway.client.secret}\r\n\r\n`;
    client.send(head('/api/v1/me'));
    await client.until(/"prefix"/);
    client.send(head('/api/v1/calls/none'));
    await client.until(/call_not_found/);
    client.send(head('/healthz'));
    await client.until(/"ok"/);
    client.socket.destroy();
  });

  it('is closed when a body comes that nobody wants', async () => {
    const client = await RawClient.connect(gateway.port);
    client.send('GET /healthz HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\n');
    await client.closed();
    expect(client.answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });
});
