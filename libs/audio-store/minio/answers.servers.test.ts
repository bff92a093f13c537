import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Client } from 'minio';
import { all } from '../audio-store.suite.ts';
import type { AudioStore } from '../index.ts';
import { minioAudioStore } from './index.ts';
import { everythingIn, PART, pieces, recording } from './minio.fixture.ts';

const unavailable = { failure: { kind: 'transient', code: 'audio_store_unavailable' } };

/**
 * What happens to a request: it goes through and is answered; it finds the connection closed, unless that is a new one;
 * it goes through and its answer is lost; or it does not go through and gets this answer.
 */
type Fate = 'answered' | 'refused if kept' | 'answer lost' | { status: number; body: string };
type Decide = (request: { method: string; path: string }) => Fate;

describeWithServers('an S3 store whose answers', (servers) => {
  let name: string;
  let s3: Client;
  let remove: () => Promise<void>;
  let between: Server;
  let decide: Decide;
  let store: AudioStore;
  beforeEach(async () => {
    ({ name, s3, remove } = await servers.bucket());
    decide = () => 'answered';
    const known = new WeakSet<object>();
    between = createServer((incoming, outgoing) => {
      const fate = decide({ method: incoming.method ?? '', path: incoming.url ?? '' });
      const kept = known.has(incoming.socket);
      known.add(incoming.socket);
      if (fate === 'refused if kept' && kept) return void incoming.socket.destroy();
      if (typeof fate === 'object')
        return void incoming.resume().once('end', () => outgoing.writeHead(fate.status).end(fate.body));
      const { endPoint, port } = servers.addresses.s3;
      const { method, url, headers } = incoming;
      const forwarded = request({ host: endPoint, port, method, path: url, headers }, (answer: IncomingMessage) => {
        if (fate === 'answer lost') return void answer.resume().once('end', () => incoming.socket.destroy());
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as AddressInfo;
    store = minioAudioStore({ ...servers.addresses.s3, endPoint: '127.0.0.1', port, useSSL: false, bucket: name });
  });
  afterEach(async () => {
    between.closeAllConnections();
    between.close();
    await remove();
  });

  const put = (bytes: number) => store.put('key_1', Readable.from(pieces(recording(bytes))));

  it.each<[string, number, Decide]>([
    [
      'to a small recording',
      1_000,
      ({ method, path }) => (method === 'PUT' && path.endsWith('/audio') ? 'answer lost' : 'answered'),
    ],
    [
      'to its beginning',
      3 * PART,
      ({ method, path }) => (method === 'POST' && path.endsWith('?uploads') ? 'answer lost' : 'answered'),
    ],
    [
      'to the sign that it comes',
      3 * PART,
      ({ method, path }) => (method === 'PUT' && path.endsWith('/incoming') ? 'answer lost' : 'answered'),
    ],
    ['to a part', 3 * PART, ({ path }) => (path.includes('partNumber=2') ? 'answer lost' : 'answered')],
    [
      'to the last word',
      3 * PART,
      ({ method, path }) => (method === 'POST' && path.includes('uploadId=') ? 'answer lost' : 'answered'),
    ],
  ])('are lost, %s, has nothing of it afterwards', async (_, bytes, fate) => {
    decide = fate;
    await expect(put(bytes)).rejects.toMatchObject(unavailable);
    expect(await everythingIn(s3, name)).toEqual([]);
  });

  it('are lost when a recording is deleted does not say that it is', async () => {
    await put(1_000);
    decide = ({ method }) => (method === 'DELETE' ? 'answer lost' : 'answered');
    await expect(store.delete('key_1')).rejects.toMatchObject(unavailable);
  });

  it('say 200 and, in the body, that it went wrong has not stored anything', async () => {
    const body =
      '<?xml version="1.0"?>\n<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>';
    decide = ({ method, path }) =>
      method === 'POST' && path.includes('uploadId=') ? { status: 200, body } : 'answered';
    await expect(put(2 * PART)).rejects.toMatchObject({
      ...unavailable,
      cause: { message: 'the S3 store answered InternalError' },
    });
    expect(await everythingIn(s3, name)).toEqual([]);
  });

  it('say that a part of a recording is missing, although all was sent, leads the operator to its disk', async () => {
    const body =
      '<Error><Code>IncompleteBody</Code><Message>You did not provide the number of bytes specified.</Message></Error>';
    decide = ({ method, path }) => (method === 'PUT' && path.endsWith('/audio') ? { status: 400, body } : 'answered');
    const message = 'the S3 store took only a part of what was sent (IncompleteBody): check whether it has room';
    await expect(put(1_000)).rejects.toMatchObject({ ...unavailable, cause: { message } });
    expect(await everythingIn(s3, name)).toEqual([]);
  });

  it('deny a deletion has not deleted', async () => {
    await put(1_000);
    const body = '<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>';
    decide = ({ method }) => (method === 'DELETE' ? { status: 403, body } : 'answered');
    await expect(store.delete('key_1')).rejects.toMatchObject({
      failure: { kind: 'transient', code: 'audio_store_deletion_denied' },
      cause: {
        message: `the S3 store denies this to the access key (AccessDenied): check what it may do in the bucket ${name}`,
      },
    });
    expect(await store.stat('key_1')).toMatchObject({ bytes: 1_000 });
  });

  it('repeat what was signed with which key is not quoted, also not to operators', async () => {
    const signed =
      '<AWSAccessKeyId>AKIAEXAMPLE</AWSAccessKeyId><StringToSign>AWS4-HMAC-SHA256 20261121</StringToSign><SignatureProvided>0ab1</SignatureProvided>';
    const body = `<Error><Code>SignatureDoesNotMatch</Code><Message>The signature of AKIAEXAMPLE does not match.</Message>${signed}</Error>`;
    decide = () => ({ status: 403, body });
    const told = await store.stat('key_1').then(
      () => '',
      (error) => inspect(error, { depth: null, showHidden: true }),
    );
    expect(told).toContain('check S3_ACCESS_KEY and S3_SECRET_KEY');
    for (const secret of ['AKIAEXAMPLE', 'AWS4-HMAC', '0ab1']) expect(told).not.toContain(secret);
  });

  it('say that there are no versions is asked twice for each deletion after the first: to delete, and what is left', async () => {
    const asked: string[] = [];
    await put(1_000);
    await store.delete('key_1');
    await put(1_000);
    decide = ({ method }) => {
      asked.push(method);
      return 'answered';
    };
    await store.delete('key_1');
    expect(asked).toEqual(['DELETE', 'GET']);
    expect(await everythingIn(s3, name)).toEqual([]);
  });

  it('accept a deletion that does not happen is not believed', async () => {
    await put(1_000);
    decide = ({ method }) => (method === 'DELETE' ? { status: 204, body: '' } : 'answered');
    await expect(store.delete('key_1')).rejects.toMatchObject({
      ...unavailable,
      cause: { message: 'the S3 store still has what was deleted' },
    });
  });

  it.each([429, 500, 503])('say %i is asked once, and not over and over', async (status) => {
    let asked = 0;
    decide = () => {
      asked += 1;
      return {
        status,
        body: '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>',
      };
    };
    await expect(store.stat('key_1')).rejects.toMatchObject({
      ...unavailable,
      cause: { message: 'the S3 store answered SlowDown' },
    });
    expect(asked).toBe(1);
  });

  it.each(['QuotaExceeded', 'XMinioAdminBucketQuotaExceeded', 'XMinioStorageFull'])(
    'say %s has no room',
    async (code) => {
      decide = ({ method }) =>
        method === 'PUT'
          ? { status: 507, body: `<Error><Code>${code}</Code><Message>No.</Message></Error>` }
          : 'answered';
      await expect(put(1_000)).rejects.toMatchObject({ failure: { kind: 'transient', code: 'audio_store_full' } });
    },
  );

  it('come over new connections, because those kept were closed meanwhile, are waited for', async () => {
    await put(1_000);
    let asked = 0;
    decide = () => {
      asked += 1;
      return 'refused if kept';
    };
    expect(await store.stat('key_1')).toMatchObject({ bytes: 1_000 });
    expect(asked).toBe(2);
  });

  it('make no sense is unavailable', async () => {
    await store.ready();
    decide = () => ({ status: 200, body: '<html>Welcome to the hotel’s network</html>' });
    await expect(all(store.list())).resolves.toEqual([]);
    const to = join(tmpdir(), randomUUID());
    await expect(store.fetch('key_1', to)).rejects.toMatchObject(unavailable);
    expect(existsSync(to)).toBe(false);
  });
});
