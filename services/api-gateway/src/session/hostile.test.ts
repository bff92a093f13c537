import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readBody } from '../http/input.ts';
import { PASSWORD, signedUp } from '../testing/browser.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';
import { RawClient } from '../testing/socket.fixture.ts';

let gateway: RunningGateway;
let headers: Record<string, string>;

beforeAll(async () => {
  gateway = await runGateway({ settings: { SIGN_UP: 'open' } });
  const { browser } = await signedUp(gateway, 'anna@acme.example');
  headers = { ...browser.headers, 'content-type': 'application/json' };
});
afterAll(() => gateway.stop());

const MARKUP = '<img src=x onerror=alert(1)>"\'`{{7*7}}';
/** What a field is given in place of its text. */
const VALUES = [
  null,
  7,
  true,
  [],
  {},
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  MARKUP,
  "' OR 1=1 --",
  '{"$gt":""}',
  { $gt: '' },
  'é'.repeat(7_000),
  'x'.repeat(15_000),
];
const BODIES: [string, string, Record<string, unknown>][] = [
  ['POST', '/app/session', { email: 'anna@acme.example', password: PASSWORD }],
  ['POST', '/app/session/link', { token: 'x' }],
  ['POST', '/app/users', { name: 'B', email: 'b@acme.example', password: PASSWORD, accountName: 'B', invitation: 'x' }],
  ['PATCH', '/app/profile', { name: 'Anna' }],
  ['PUT', '/app/password', { currentPassword: 'wrong horse battery', newPassword: PASSWORD }],
  ['POST', '/app/password-resets', { email: 'b@acme.example' }],
  ['PUT', '/app/password-resets', { token: 'x', newPassword: PASSWORD }],
  ['POST', '/app/keys', { name: 'key' }],
  ['PATCH', '/app/members/usr_x', { role: 'member' }],
  ['POST', '/app/invitations', { role: 'member' }],
  ['POST', '/app/invitations/find', { token: 'x' }],
  ['DELETE', '/app/account', { accountName: 'no', password: 'no' }],
];

describe('hostile JSON', () => {
  it.each(BODIES)('is answered with words and never with a 500: %s %s', async (method, path, body) => {
    const ask = (text: string) => gateway.ask(path, { method, headers, body: text });
    const texts = Object.keys(body).flatMap((field) =>
      VALUES.map((value) => JSON.stringify({ ...body, [field]: value })),
    );
    const broken = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"a":1,}',
      `${'['.repeat(15_000)}`,
      '{"__proto__":{"role":"owner"}}',
      '\ufeff{}',
      '{"constructor":1}',
    ];
    for (const text of [...texts, ...broken]) {
      const answer = await ask(text);
      expect({ text: text.slice(0, 100), status: answer.status, internal: answer.status >= 500 }).toMatchObject({
        internal: false,
      });
    }
    for (const text of broken) expect(await ask(text)).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
  });

  it('is text and nothing else where it is kept', async () => {
    const made = await gateway.ask('/app/keys', { method: 'POST', headers, body: JSON.stringify({ name: MARKUP }) });
    expect(made).toMatchObject({ status: 201, body: { key: { name: MARKUP } } });
    const { headers: answered } = await gateway.ask('/app/keys', { headers });
    expect(answered.get('content-type')).toBe('application/json');
    expect(answered.get('x-content-type-options')).toBe('nosniff');
  });

  it('is refused when its bytes are no UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect(await gateway.ask('/app/profile', { method: 'PATCH', headers, body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_body' },
    });
  });

  it('is not waited for when it does not come', async () => {
    const client = await RawClient.connect(gateway.port);
    const lines = Object.entries({ ...headers, host: `127.0.0.1:${gateway.port}`, 'content-length': '100' });
    client.send(
      `PATCH /app/profile HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n{"name"`,
    );
    await client.until(/\r\n\r\n.*}/s);
    expect(client.answer.status).toBe(408);
    await client.closed();
  });

  it('is not waited for when its sender was gone before it is read', async () => {
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    request.headers = { 'content-type': 'application/json' };
    request.destroy();
    await once(request, 'close');
    const read = readBody(request, new ServerResponse(request), z.object({}));
    await expect(read).rejects.toMatchObject({ code: 'invalid_body' });
  });

  it('costs nobody anything when its sender is gone', async () => {
    const client = await RawClient.connect(gateway.port);
    client.send(
      'POST /app/session HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email"',
    );
    client.socket.resetAndDestroy();
    await client.closed();
    expect((await gateway.ask('/app/installation')).status).toBe(200);
    expect(gateway.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
