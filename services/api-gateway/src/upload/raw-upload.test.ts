import type { Readable } from 'node:stream';
import type { AudioStore } from '@call-analytics/audio-store';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  audioFile,
  BOUNDARY,
  chunk,
  FILE_HEAD,
  FORM_END,
  form,
  partHead,
  uploadHead,
} from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';
import { RawClient } from '../testing/socket.fixture.ts';

let gateway: RunningGateway;
let patient: RunningGateway;
let nobody: string[];

beforeAll(async () => {
  gateway = await runGateway({ settings: { MAX_UPLOAD_BYTES: '1MiB', UPLOAD_IDLE_TIMEOUT: '300ms' } });
  // So patient that a client that has gone must be noticed as such.
  patient = await runGateway({ settings: { UPLOAD_IDLE_TIMEOUT: '1h' } });
});
afterAll(async () => {
  await gateway.stop();
  await patient.stop();
});

const MP3 = audioFile('excerpt.mp3');
const nothingKept = async (of = gateway) => {
  // A vanished client gets no answer, so there is no moment at which the traces must be gone: they go soon.
  await soon(async () => (await of.recordings()).length === 0);
  expect((await of.get('/api/v1/calls')).body).toMatchObject({ total: 0 });
};
const soon = (ask: () => boolean | Promise<boolean>) => until(ask, (answer) => answer);
const connected = () => RawClient.connect(gateway.port);
const problemIn = (client: RawClient) =>
  JSON.parse(client.answer.body) as { code: string; status: number; detail: string };

describe('a client that vanishes in the middle of an upload', () => {
  it.each([
    ['behind the headers of the request', Buffer.alloc(0)],
    ['inside the headers of the file', Buffer.from(FILE_HEAD.slice(0, 40))],
    ['behind the headers of the file', Buffer.from(FILE_HEAD)],
    ['behind the first bytes', Buffer.concat([Buffer.from(FILE_HEAD), MP3.subarray(0, 100)])],
    ['when storing has begun', Buffer.concat([Buffer.from(FILE_HEAD), MP3, Buffer.alloc(300_000)])],
    ['behind the file', Buffer.concat([Buffer.from(FILE_HEAD), MP3, Buffer.from(`\r\n--${BOUNDARY}\r\n`)])],
    ['one byte before the end', Buffer.concat([Buffer.from(FILE_HEAD), MP3, Buffer.from(FORM_END.slice(0, -3))])],
  ])('%s leaves no call and no bytes', async (_, body) => {
    const client = await RawClient.connect(patient.port);
    const before = patient.log.length;
    client.send(uploadHead(patient.client.secret, 9_000_000));
    if (body.length > 0) client.send(body);
    await new Promise((resolve) => client.socket.write('', resolve));
    client.socket.resetAndDestroy();
    await soon(() => patient.log.slice(before).some((line) => line.route === '/api/v1/calls' && line.status === 499));
    await nothingKept(patient);
    expect(patient.log.slice(before).filter((line) => line.level === 'error')).toEqual([]);
  });
});

describe('a client that is slow', () => {
  it('is given up when nothing has come for the time set, and told so', async () => {
    const client = await connected();
    client.send(uploadHead(gateway.client.secret, 900_000));
    client.send(FILE_HEAD);
    client.send(MP3);
    await client.closed();
    expect(client.answer.status).toBe(408);
    expect(client.answer.headers).toMatchObject({ connection: 'close', 'content-type': 'application/problem+json' });
    expect(problemIn(client)).toMatchObject({
      code: 'request_timeout',
      detail: expect.stringContaining('0.3 seconds'),
    });
    await nothingKept();
  });

  it('is given up too when it never begins', async () => {
    const client = await connected();
    client.send(uploadHead(gateway.client.secret, 900_000));
    await client.closed();
    expect(client.answer.status).toBe(408);
  });

  it('is given up when it sends less than the least rate, however regularly, and told so', async () => {
    const strict = await runGateway({ settings: { UPLOAD_IDLE_TIMEOUT: '1s', UPLOAD_MIN_RATE: '4KiB' } });
    const client = await RawClient.connect(strict.port);
    client.send(uploadHead(strict.client.secret));
    client.send(chunk(Buffer.concat([Buffer.from(FILE_HEAD), MP3])));
    while (!client.socket.closed && !/HTTP/.test(client.received)) {
      client.send(chunk(Buffer.from([0])));
      // The pace is what is tested: 20 bytes a second.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await client.closed();
    expect(problemIn(client)).toMatchObject({
      status: 408,
      code: 'request_timeout',
      detail: expect.stringContaining('4 KiB a second'),
    });
    await nothingKept(strict);
    await strict.stop();
  });

  it('times out too when it stalls after the audio store was slower than the client', async () => {
    let stored: Readable | null = null;
    const release = Promise.withResolvers<void>();
    const slow = await runGateway({
      settings: { UPLOAD_IDLE_TIMEOUT: '300ms', UPLOAD_MIN_RATE: '0' },
      audioStore: (real) =>
        Object.assign(Object.create(real) as AudioStore, {
          async put(key: string, recording: Readable, signal: AbortSignal) {
            stored = recording;
            await release.promise;
            return real.put(key, recording, signal);
          },
        }),
    });
    const client = await RawClient.connect(slow.port);
    client.send(uploadHead(slow.client.secret));
    client.send(chunk(Buffer.concat([Buffer.from(FILE_HEAD), MP3, Buffer.alloc(4 * 2 ** 20)])));
    // All buffers are full, so the request is paused.
    await soon(() => (stored?.readableLength ?? 0) >= 256 * 1024);
    release.resolve();
    await client.until(/request_timeout/);
    await nothingKept(slow);
    client.socket.destroy();
    await slow.stop();
  });

  it('may take as long as it likes while bytes flow', async () => {
    // Much longer than a byte takes, also on a machine that stands still for a moment.
    const hasty = await runGateway({ settings: { UPLOAD_IDLE_TIMEOUT: '2s', UPLOAD_MIN_RATE: '2' } });
    const client = await RawClient.connect(hasty.port);
    client.send(uploadHead(hasty.client.secret));
    client.send(chunk(FILE_HEAD));
    // In all longer than bytes may be missing.
    for (const byte of MP3.subarray(0, 25)) {
      client.send(chunk(Buffer.from([byte])));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    client.send(chunk(MP3.subarray(20)));
    client.send(chunk(FORM_END));
    client.send('0\r\n\r\n');
    await client.until(/"pollUrl"/);
    expect(client.answer.status).toBe(202);
    client.socket.destroy();
    await hasty.stop();
  });
});

describe('uploads of one account at the same time', () => {
  it('have a limit: the next is told to wait, other accounts are not, and there is room when one has ended', async () => {
    const small = await runGateway({ settings: { UPLOADS_PER_ACCOUNT: '2' } });
    const other = await small.newClient('Other');
    const upload = (headers = {}) => small.upload(form([['file', { name: 'a.mp3', bytes: MP3 }]]), headers);
    const slow = await Promise.all([1, 2].map(() => RawClient.connect(small.port)));
    for (const client of slow) client.send(uploadHead(small.client.secret, 900_000, ['Expect: 100-continue']));
    // Asked for its body, so it is counted.
    for (const client of slow) await client.until(/100 Continue/);
    const refused = await upload();
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_uploads', detail: expect.stringContaining('2 uploads') },
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await upload(other.headers)).status).toBe(202);
    slow[0]?.socket.resetAndDestroy();
    await soon(async () => (await upload()).status === 202);
    slow[1]?.socket.destroy();
    await small.stop();
  });
});

describe('an upload over the limit', () => {
  beforeAll(async () => {
    nobody = await gateway.recordings();
  });

  it('is refused before its body when the headers tell', async () => {
    const client = await connected();
    client.send(uploadHead(gateway.client.secret, 3 * 2 ** 30));
    await client.until(/file_too_large/);
    expect(client.answer.status).toBe(413);
    expect(client.answer.headers.connection).toBe('close');
    await client.closed();
  });

  it('is refused as soon as the limit is passed, and the rest is not read', async () => {
    const client = await connected();
    client.send(uploadHead(gateway.client.secret));
    client.send(chunk(Buffer.concat([Buffer.from(FILE_HEAD), MP3])));
    client.send(chunk(Buffer.alloc(2 ** 20)));
    await client.until(/file_too_large/);
    let sent = 0;
    const mebibyte = chunk(Buffer.alloc(2 ** 20));
    while (!client.socket.destroyed && sent < 200) {
      sent += 1;
      await client.sendAll(mebibyte);
    }
    await client.closed();
    // What is read for politeness and what the system's buffers take.
    expect(sent).toBeLessThan(60);
    expect(await gateway.recordings()).toEqual(nobody);
  });

  it('is refused for a wrong text field before its file is read', async () => {
    const client = await RawClient.connect(patient.port);
    client.send(uploadHead(patient.client.secret, 2 ** 30));
    client.send(`${partHead('name="vocabulary"')}${'x'.repeat(200_000)}\r\n${FILE_HEAD}`);
    await client.until(/invalid_field/);
    await client.closed();
    expect(await patient.recordings()).toEqual([]);
  });

  it('is refused too when it is the text around the file that goes on and on', async () => {
    const client = await connected();
    client.send(uploadHead(gateway.client.secret));
    client.send(chunk(Buffer.concat([Buffer.from(FILE_HEAD), MP3, Buffer.from(FORM_END)])));
    while (!client.socket.destroyed && !/HTTP/.test(client.received)) {
      await client.sendAll(chunk(Buffer.alloc(2 ** 16)));
    }
    await client.closed();
    expect(client.answer.status).toBe(413);
    expect(await gateway.recordings()).toEqual(nobody);
  });
});

describe('an upload that waits for "100 Continue"', () => {
  it('is told to continue when its key is right', async () => {
    const body = Buffer.concat([Buffer.from(FILE_HEAD), MP3, Buffer.from(FORM_END)]);
    const client = await connected();
    client.send(uploadHead(gateway.client.secret, body.length, ['Expect: 100-continue']));
    await client.until(/100 Continue/);
    client.send(body);
    await client.until(/"pollUrl"/);
    client.socket.destroy();
    for (const key of await gateway.recordings()) await gateway.audioStore.delete(key);
  });

  it.each([
    ['a wrong key', 401, (secret: string) => uploadHead(`${secret}x`, 900_000, ['Expect: 100-continue'])],
    ['a size over the limit', 413, (secret: string) => uploadHead(secret, 2 ** 31, ['Expect: 100-continue'])],
    [
      'a wrong Idempotency-Key',
      400,
      (secret: string) => uploadHead(secret, 900_000, ['Expect: 100-continue', 'Idempotency-Key: ']),
    ],
    ['another expectation', 417, (secret: string) => uploadHead(secret, 900_000, ['Expect: a-miracle'])],
  ])('is answered at once, without asking for the body, because of %s', async (_, status, head) => {
    const client = await connected();
    client.send(head(gateway.client.secret));
    await client.closed();
    expect(client.received).not.toContain('100 Continue');
    expect(client.answer.status).toBe(status);
  });
});

describe('an upload without a valid key', () => {
  it('is refused before any of it is read, and a client that reads only after writing still gets the answer', async () => {
    const client = await connected();
    client.socket.pause();
    // More than the system's buffers take: it can only be written when somebody reads it.
    const body = Buffer.concat([Buffer.from(FILE_HEAD), MP3, Buffer.alloc(12 * 2 ** 20), Buffer.from(FORM_END)]);
    client.send(uploadHead('aca_wrong', body.length));
    await new Promise<void>((resolve, reject) =>
      client.socket.write(body, (error) => (error ? reject(error) : resolve())),
    );
    await client.closed();
    expect(client.answer.status).toBe(401);
    expect(await gateway.recordings()).toEqual([]);
  });

  it('is refused in the same way when its body comes slowly', async () => {
    const client = await connected();
    client.socket.pause();
    client.send(uploadHead('aca_wrong', 4_000));
    for (let sent = 0; sent < 4; sent += 1) {
      // The pause is what is tested: longer in all than a silent client is waited for.
      await new Promise((resolve) => setTimeout(resolve, 700));
      client.send(Buffer.alloc(1_000));
    }
    await client.closed();
    expect(client.answer.status).toBe(401);
  });
});

describe('a broken body', () => {
  it.each<[string, string, (string | Buffer)[]]>([
    ['a part with a broken header', 'invalid_multipart', [`--${BOUNDARY}\r\n\u0001\u0002: x\r\n\r\nx`, FORM_END]],
    ['a file that the end of the body cuts off', 'invalid_multipart', [FILE_HEAD, MP3]],
    ['a boundary without its last line', 'invalid_multipart', [FILE_HEAD, MP3, `\r\n--${BOUNDARY}\r\n`]],
    ['a form with nothing in it', 'missing_file', [`--${BOUNDARY}--\r\n`]],
    ['a file part without a file name', 'missing_file', [partHead('name="file"', 'audio/mpeg'), MP3, FORM_END]],
    [
      'a file part with an empty file name',
      'missing_file',
      [partHead('name="file"; filename=""', 'application/octet-stream'), FORM_END],
    ],
  ])('with %s is refused', async (_, code, parts) => {
    const client = await connected();
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    client.send(uploadHead(gateway.client.secret, body.length));
    client.send(body);
    await client.until(/requestId/);
    expect(problemIn(client)).toMatchObject({ status: 400, code });
    client.socket.destroy();
    await nothingKeptOf();
  });

  it('with a broken chunk is refused', async () => {
    const client = await connected();
    client.send(uploadHead(gateway.client.secret));
    client.send(chunk(Buffer.concat([Buffer.from(FILE_HEAD), MP3])));
    client.send('not a length\r\n');
    await client.closed();
    expect(problemIn(client)).toMatchObject({ status: 400, code: 'malformed_request' });
    await nothingKeptOf();
  });

  const nothingKeptOf = () => soon(async () => (await gateway.recordings()).length === 0);
});
