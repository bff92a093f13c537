import { gzipSync } from 'node:zlib';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { expect, it } from '@jest/globals';
import { DONE, messageAbout, recorder } from '../messaging.fixture.ts';
import { openings, virtualHosts } from './rabbitmq.fixture.ts';

const message = JSON.stringify(messageAbout('call_1', 'call.completed'));

describeWithServers('messaging over RabbitMQ, of what no handler can take,', (servers) => {
  const open = openings();
  const virtualHost = virtualHosts(servers);

  /** Consumes `cleanup`, into which `body` was put by another program. @returns its dead letter */
  const buried = async (body: Buffer, properties = {}) => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    const { seen, handler, saw } = recorder();
    const consumer = await messaging.consume('cleanup', handler, { concurrency: 1 });
    await host.put('calls.cleanup', body, properties);
    await messaging.publish(messageAbout('call_good', 'call.completed'));
    await saw(1);
    const [letter] = await until(
      () => messaging.deadLetters(10),
      (letters) => letters.length === 1,
    );
    await consumer.close();
    expect(seen).toEqual(['call_good']);
    return { host, messaging, letter: letter ?? { id: '', body: '', reason: '', queue: '', deadAt: new Date(0) } };
  };

  it.each<[string, string, Buffer, object]>([
    ['is not JSON', 'not JSON', Buffer.from('{"specversion":'), {}],
    ['is empty', 'not JSON', Buffer.alloc(0), {}],
    ['is not UTF-8', 'not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]), {}],
    ['is too large to be a message', '1000000 bytes', Buffer.alloc(1_000_000, 'a'), {}],
    ['is compressed', 'content encoding gzip', gzipSync(message), { content_encoding: 'gzip' }],
    ['is of a version to come', 'unknown dataschema', Buffer.from(message.replace(':v1', ':v2')), {}],
    [
      'is of a type to come',
      'unknown type call.sold',
      Buffer.from(message.replaceAll('call.completed', 'call.sold')),
      {},
    ],
    ['holds no call', 'callId', Buffer.from(message.replace('"callId"', '"call"')), {}],
  ])(
    'one that %s is a dead letter with the reason, and goes back byte for byte when it is replayed',
    async (_, why, body, properties) => {
      const { host, messaging, letter } = await buried(body, properties);
      expect(letter.reason).toContain(why);
      expect(letter.body.slice(0, 100)).toBe(body.toString('utf8').slice(0, 100));
      expect(await messaging.replay(letter.id)).toBe(true);
      expect(await messaging.deadLetters(10)).toEqual([]);
      const got = await host.management('POST', 'queues/{vhost}/calls.cleanup/get', {
        count: 1,
        ackmode: 'ack_requeue_false',
        encoding: 'base64',
      });
      const [{ payload, properties: kept }] = got as [{ payload: string; properties: object }];
      expect(Buffer.from(payload, 'base64').equals(body)).toBe(true);
      expect(kept).toMatchObject(properties);
    },
  );

  it('one with headers of nearly 64 KiB, which leave no room for a reason, is a dead letter all the same', async () => {
    const { letter } = await buried(Buffer.from('not a message'), { headers: { theirs: 'x'.repeat(60_000) } });
    expect(letter.reason).toContain('not JSON');
  });

  it('the reason may be long: it is cut, and the letter is there', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    await messaging.consume('cleanup', async () => ({ kind: 'failed', reason: 'é'.repeat(100_000) }), {
      concurrency: 1,
    });
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    const [letter] = await until(
      () => messaging.deadLetters(10),
      (letters) => letters.length === 1,
    );
    expect(letter?.reason).toMatch(/^é{1000,5000}$/);
  });

  it('a dead letter may be looked at as often as anybody likes, also where no policy keeps the broker from giving it up after twenty times', async () => {
    const { messaging, letter } = await buried(Buffer.from('not a message'));
    for (let i = 0; i < 50; i += 1) expect(await messaging.deadLetters(10)).toEqual([letter]);
    for (let i = 0; i < 30; i += 1) expect(await messaging.replay('another')).toBe(false);
    expect(await messaging.replay(letter.id)).toBe(true);
  });

  it('those that are looked at by somebody who dies are there again', async () => {
    const { host, messaging, letter } = await buried(Buffer.from('not a message'));
    // What an operator's command does, up to its death: takes the letter, and never says a word again.
    const stranger = await open(host.url);
    const look = stranger.deadLetters(10);
    for (const { name } of (await until(
      () => host.management('GET', 'vhosts/{vhost}/connections') as Promise<{ name: string }[]>,
      (all) => all.length >= 4,
      30_000,
    )) as { name: string }[]) {
      await host.management('DELETE', `connections/${encodeURIComponent(name)}`).catch(() => {});
    }
    await look.catch(() => {});
    await until(
      () => messaging.deadLetters(10).catch(() => []),
      (letters) => letters.length === 1 && letters[0]?.id === letter.id,
      30_000,
    );
  });

  it('one that cannot be replayed, because the broker takes nothing, stays a dead letter', async () => {
    const { host, messaging, letter } = await buried(Buffer.from('not a message'));
    await host.management('DELETE', 'queues/{vhost}/calls.cleanup');
    await expect(messaging.replay(letter.id)).rejects.toMatchObject({ failure: { code: 'broker_unavailable' } });
    expect(await messaging.deadLetters(10)).toEqual([letter]);
    await until(
      () => messaging.replay(letter.id).catch(() => false),
      (done) => done,
    );
    expect(await messaging.depth('cleanup')).toBe(1);
  });

  it('many are listed, the oldest first, and any of them can be replayed from among the others', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    let repaired = false;
    const { handler, saw } = recorder(() => (repaired ? DONE : { kind: 'failed', reason: 'broken' }));
    await messaging.consume('cleanup', handler, { concurrency: 1 });
    const ids = Array.from({ length: 30 }, (_, i) => `call_${i}`);
    for (const id of ids) await messaging.publish(messageAbout(id, 'call.completed'));
    const letters = await until(
      () => messaging.deadLetters(100),
      (all) => all.length === 30,
    );
    expect(letters.map(({ body }) => JSON.parse(body).data.callId).sort()).toEqual([...ids].sort());
    const times = letters.map(({ deadAt }) => deadAt.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
    repaired = true;
    expect(await messaging.replay(letters[17]?.id ?? '')).toBe(true);
    await saw(31);
    const left = (await messaging.deadLetters(100)).map(({ id }) => id);
    expect(new Set(left)).toEqual(new Set(letters.filter((_, i) => i !== 17).map(({ id }) => id)));
    expect(left).toHaveLength(29);
  });

  it('the letters that the broker itself writes are shown and replayed as well', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    await host.management('PUT', 'policies/{vhost}/gives-up', {
      pattern: '^calls\\.cleanup$',
      definition: { 'dead-letter-exchange': '', 'dead-letter-routing-key': 'calls.dead-letters' },
    });
    await until(
      () => host.management('GET', 'queues/{vhost}/calls.cleanup') as Promise<{ policy?: string }>,
      ({ policy }) => policy === 'gives-up',
    );
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    await host.management('POST', 'queues/{vhost}/calls.cleanup/get', {
      count: 1,
      ackmode: 'reject_requeue_false',
      encoding: 'auto',
    });
    const [letter] = await until(
      () => messaging.deadLetters(10),
      (letters) => letters.length === 1,
    );
    expect(letter).toMatchObject({ queue: 'cleanup', reason: 'the broker gave it up: rejected' });
    // Often enough for the letter to be written anew.
    for (let i = 0; i < 30; i += 1)
      expect(await messaging.deadLetters(10)).toMatchObject([{ id: letter?.id, queue: 'cleanup' }]);
    expect(await messaging.replay(letter?.id ?? '')).toBe(true);
    expect(await messaging.depth('cleanup')).toBe(1);
  });

  it('a stranger among the dead letters that says no queue is left alone', async () => {
    const { host, messaging, letter } = await buried(Buffer.from('not a message'));
    await host.put('calls.dead-letters', Buffer.from('a stranger'));
    expect(await messaging.deadLetters(10)).toEqual([letter]);
    expect(await host.management('GET', 'queues/{vhost}/calls.dead-letters')).toMatchObject({ type: 'quorum' });
    expect(await messaging.replay(letter.id)).toBe(true);
    expect(await messaging.deadLetters(10)).toEqual([]);
  });
});
