import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import { DONE, messageAbout, otherQueueWorks, recorder } from '../messaging.fixture.ts';
import { openings, traffic, virtualHosts } from './rabbitmq.fixture.ts';

describeWithServers('messaging over RabbitMQ, when the broker', (servers) => {
  const open = openings();
  const virtualHost = virtualHosts(servers);
  type Host = Awaited<ReturnType<typeof virtualHost>>;

  const connections = async ({ management }: Host, of: 'publishing' | 'consuming') =>
    (
      await until(
        async () =>
          (
            (await management('GET', 'vhosts/{vhost}/connections')) as { name: string; user_provided_name?: string }[]
          ).filter(({ user_provided_name: given }) => given === `test: ${of}`),
        (all) => all.length > 0,
        30_000,
      )
    ).map(({ name }) => name);
  const closeConnections = async (host: Host, of: 'publishing' | 'consuming') => {
    for (const name of await connections(host, of))
      await host.management('DELETE', `connections/${encodeURIComponent(name)}`);
  };

  it.each(['publishing', 'consuming'] as const)(
    'closes the %s connection, all goes on over a new one, and nothing is lost',
    async (which) => {
      const host = await virtualHost();
      const lines: string[] = [];
      const messaging = await open(host.url, { lines });
      const { flows, allArrive } = await traffic(messaging);
      await flows();
      await closeConnections(host, which);
      await until(
        () => lines.join(''),
        (text) => text.includes('lost the connection to the broker'),
      );
      await flows();
      await allArrive();
    },
  );

  it('cancels the consumer because its queue was deleted, queue and consumer come back, and the publisher was told of what no queue took', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    const { flows, seen, stop } = await traffic(messaging);
    await flows();
    await host.management('DELETE', 'queues/{vhost}/calls.cleanup');
    seen.clear();
    await flows();
    await stop();
    expect(await host.management('GET', 'queues/{vhost}/calls.cleanup')).toMatchObject({ type: 'quorum' });
  });

  it('has its queues purged, what was in them is gone, and what comes after flows', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    for (let i = 0; i < 20; i += 1) await messaging.publish(messageAbout(`purged_${i}`, 'call.completed'));
    for (const queue of ['transcription', 'analysis', 'cleanup', 'dead-letters']) {
      await host.management('DELETE', `queues/{vhost}/calls.${queue}/contents`);
    }
    const { flows, seen, allArrive } = await traffic(messaging);
    await flows();
    await allArrive();
    expect([...seen].filter((callId) => callId.startsWith('purged'))).toEqual([]);
  });

  it('loses the exchange, publishing fails and then makes it again', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    const { flows, refused, allArrive } = await traffic(messaging);
    await flows();
    await host.management('DELETE', 'exchanges/{vhost}/calls');
    await refused('NOT_FOUND');
    await flows();
    await allArrive();
  });

  describe('has no queue for a message that one must take,', () => {
    it('that is an error and never a success, and the queue is there for the next one', async () => {
      const host = await virtualHost();
      const messaging = await open(host.url);
      await host.management('DELETE', 'queues/{vhost}/calls.cleanup');
      const publish = () => messaging.publish(messageAbout('call_1', 'call.completed'));
      await expect(publish()).rejects.toMatchObject({ failure: { kind: 'transient', code: 'broker_unavailable' } });
      await until(
        () =>
          publish().then(
            () => true,
            () => false,
          ),
        (taken) => taken,
      );
      expect(await messaging.depth('cleanup')).toBe(1);
    });

    it('the others on their way at the same time are not taken for lost', async () => {
      const host = await virtualHost();
      const messaging = await open(host.url);
      await host.management('DELETE', 'queues/{vhost}/calls.analysis');
      const results = await Promise.allSettled(
        Array.from({ length: 100 }, (_, i) =>
          messaging.publish(messageAbout(`call_${i}`, i === 50 ? 'analysis.requested' : 'call.completed')),
        ),
      );
      expect(results.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([50]);
      expect(await messaging.depth('cleanup')).toBe(99);
    });
  });

  it('goes while a message waits to be delivered again, the message comes back at once, and only once', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url, { redeliverAfterMs: 60_000 });
    const threw = Promise.withResolvers<void>();
    const { seen, handler, saw } = recorder(async (message, { delivery }) => {
      if (delivery > 1 || message.data.callId === 'call_2') return DONE;
      threw.resolve();
      throw new Error('a bug');
    });
    const consumer = await messaging.consume('cleanup', handler, { concurrency: 1 });
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    await threw.promise;
    await closeConnections(host, 'consuming');
    await saw(2);
    await messaging.publish(messageAbout('call_2', 'call.completed'));
    await saw(3);
    await consumer.close();
    expect(seen).toEqual(['call_1', 'call_1', 'call_2']);
    expect(await messaging.depth('cleanup')).toBe(0);
  });

  it('takes a message back from a handler that goes on, the concurrency is still not exceeded', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    const started = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    let inFlight = 0;
    let most = 0;
    const { seen, handler, saw } = recorder(async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      started.resolve();
      await go.promise;
      inFlight -= 1;
      return DONE;
    });
    const consumer = await messaging.consume('cleanup', handler, { concurrency: 1 });
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    await started.promise;
    await closeConnections(host, 'consuming');
    await until(
      () => consumer.ready(),
      (reason) => reason !== null,
    );
    await until(
      () => consumer.ready(),
      (reason) => reason === null,
    );
    // It is this consumer's again, and waits for the first handler to end.
    await until(
      () => messaging.depth('cleanup').catch(String),
      (depth) => depth === 0,
    );
    expect(seen).toHaveLength(1);
    go.resolve();
    await saw(2);
    expect(most).toBe(1);
  });

  it('is asked to pause while it is away, it stays paused on the new connection', async () => {
    const host = await virtualHost();
    const messaging = await open(host.url);
    const { seen, handler, saw } = recorder();
    const consumer = await messaging.consume('cleanup', handler, { concurrency: 1 });
    const another = await messaging.consume('transcription', handler, { concurrency: 1 });
    await consumer.pause();
    await closeConnections(host, 'consuming');
    await until(
      () => another.ready(),
      (reason) => reason !== null,
    );
    await until(
      () => another.ready(),
      (reason) => reason === null,
    );
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    await until(
      () => messaging.depth('cleanup').catch(String),
      (depth) => depth === 1,
    );
    await otherQueueWorks(messaging);
    expect(consumer.ready()).toBeNull();
    expect(seen).toEqual([]);
    await consumer.resume();
    await saw(1);
  });
});
