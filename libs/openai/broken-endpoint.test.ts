import { describe, expect, it } from '@jest/globals';
import {
  askAt,
  askFromOutside,
  closeServers,
  error,
  failureOf,
  json,
  NOW,
  serve,
  unaccepting,
} from './endpoint.fixture.ts';
import { classifyOpenAiError, openaiClient } from './index.ts';

describe('a broken endpoint', () => {
  it.each([502, 503, 504, 529])('that answers %i is away', async (status) => {
    expect(await failureOf(json(status, error('The server had an error', null, null, 'server_error')))).toMatchObject({
      kind: 'unavailable',
      code: 'engine_unavailable',
    });
  });

  it.each([408, 409, 500, 501])('that answers %i may be broken, or this request breaks it', async (status) => {
    expect(await failureOf(json(status, error('The server had an error', null, null, 'server_error')))).toMatchObject({
      kind: 'unanswered',
      code: 'engine_error',
    });
  });

  it('that is overloaded and says until when is obeyed', async () => {
    const overloaded = error('overloaded', 'server_is_overloaded', null, 'service_unavailable_error');
    expect(await failureOf(json(503, overloaded, { 'retry-after': '30' }))).toMatchObject({
      kind: 'rate-limited',
      until: new Date(NOW.getTime() + 30_000),
    });
  });

  it('that sends an HTML page in place of an error is away', async () => {
    const failure = await failureOf((_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
    );
    expect(failure).toMatchObject({ kind: 'unavailable', code: 'engine_unavailable' });
  });

  it('that refuses connections is away', async () => {
    const baseUrl = await serve(() => {});
    await closeServers();
    expect(await askAt(baseUrl)).toMatchObject({ kind: 'unavailable', code: 'engine_unreachable' });
  });

  it('whose name does not resolve is away', async () => {
    expect(await askAt('http://engine.invalid/v1')).toMatchObject({ kind: 'unavailable', code: 'engine_unreachable' });
  });

  it('that does not accept connections in time is away', async () => {
    expect(await askFromOutside(await unaccepting(), { timeoutMs: 10_000, connectTimeoutMs: 200 })).toMatchObject({
      kind: 'unavailable',
      code: 'engine_unreachable',
    });
  });

  it('whose certificate is not for it is away', async () => {
    const baseUrl = (await serve(() => {})).replace('http:', 'https:');
    expect(await askAt(baseUrl)).toMatchObject({ kind: 'unavailable', code: 'engine_unreachable' });
  });

  it('that hangs up before it answers may be broken, or this request breaks it', async () => {
    const failure = await failureOf((request) => request.socket.destroy());
    expect(failure).toMatchObject({ kind: 'unanswered', code: 'engine_connection_lost' });
  });

  it('that never answers is given up at the deadline', async () => {
    expect(await askFromOutside(await serve(() => {}), { timeoutMs: 150 })).toMatchObject({
      kind: 'unanswered',
      code: 'engine_timeout',
    });
  });

  it('that stops in the middle of its answer is given up at the deadline', async () => {
    const failure = await failureOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id": "chatcmpl-1", ');
    }, 150);
    expect(failure).toMatchObject({ kind: 'unanswered', code: 'engine_timeout' });
  });

  it('that hangs up in the middle of its answer may be broken, or this request breaks it', async () => {
    const failure = await failureOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id": "chatcmpl-1", ', () => response.destroy());
    });
    expect(failure).toMatchObject({ kind: 'unanswered', code: 'engine_connection_lost' });
  });

  it('that sends broken JSON may be broken, or this request breaks it', async () => {
    const failure = await failureOf((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "chatc'),
    );
    expect(failure).toMatchObject({ kind: 'unanswered', code: 'engine_answer_unreadable' });
  });
});

describe('what is no failure of the endpoint', () => {
  it('an abort by the caller passes through', async () => {
    const abort = new AbortController();
    const client = openaiClient({ apiKey: 'test', baseUrl: await serve(() => abort.abort()), timeoutMs: 5_000 });
    const request = client.chat.completions.create({ model: 'm', messages: [] }, { signal: abort.signal });
    const thrown = await request.catch((reason: unknown) => reason);
    expect(() => classifyOpenAiError(thrown, NOW)).toThrow('aborted');
  });

  it('an error of our own is a bug', () => {
    expect(classifyOpenAiError(new RangeError('x'), NOW)).toMatchObject({ kind: 'bug', code: 'internal_error' });
  });
});
