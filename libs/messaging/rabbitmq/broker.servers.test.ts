import { createServer } from 'node:net';
import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { describeWithServers, IMAGES } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { RabbitMQContainer, type StartedRabbitMQContainer } from '@testcontainers/rabbitmq';
import { DONE, messageAbout, recorder } from '../messaging.fixture.ts';
import { rabbitmqMessaging } from './messaging.ts';
import { openings, purge, traffic } from './rabbitmq.fixture.ts';

/** A port that stays the same when the container starts again. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describeWithServers('messaging over a RabbitMQ of its own', () => {
  const open = openings();
  let broker: StartedRabbitMQContainer;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    broker = await new RabbitMQContainer(IMAGES.rabbitmq)
      .withExposedPorts({ container: 5672, host: port }, 15672)
      .start();
    // A RabbitMQ that is killed within moments of a queue's declaration has the queue afterwards, but no leader for it,
    // for good. A stop in good order writes it down.
    await (await rabbitmqMessaging({ url: url(), log: makeLogger('test', 'silent'), metrics: makeMetrics() })).close();
    await rabbitmqctl('stop_app');
    await rabbitmqctl('start_app');
  }, 120_000);
  afterAll(() => broker.stop({ timeout: 0 }));

  const url = () => `amqp://guest:guest@127.0.0.1:${port}`;
  const rabbitmqctl = async (...args: string[]) => {
    const { exitCode, output } = await broker.exec(['rabbitmqctl', '-q', ...args]);
    if (exitCode !== 0) throw new Error(output);
  };
  // After the adapter is closed: what one test leaves behind is none of the next one's.
  afterEach(() => purge(broker, 'calls.cleanup', 'calls.transcription', 'calls.dead-letters'));

  it('loses nothing that was accepted when the broker is killed and starts again', async () => {
    const messaging = await open(url());
    const { flows, refused, allArrive } = await traffic(messaging);
    await flows();
    await broker.restart({ timeout: 0 });
    await refused('broker is not available');
    await flows();
    await allArrive();
  });

  it('is told of no memory at once, is not ready, and takes up again where it was when there is some', async () => {
    const messaging = await open(url());
    const { flows, refused, seen, allArrive } = await traffic(messaging);
    await flows();
    await rabbitmqctl('set_vm_memory_high_watermark', '0');
    await refused('accepts no messages');
    expect(messaging.ready()).toContain('accepts no messages');
    await rabbitmqctl('set_vm_memory_high_watermark', '0.6');
    await until(
      () => messaging.ready(),
      (reason) => reason === null,
    );
    const before = seen.size;
    await flows();
    expect(seen.size).toBeGreaterThan(before);
    await allArrive();
  });

  it('keeps in flight what it cannot pass on for want of memory, and passes it on later', async () => {
    const messaging = await open(url());
    const blocked = Promise.withResolvers<void>();
    const { seen, handler, saw } = recorder(async (message) => {
      await blocked.promise;
      if (message.data.callId === 'call_dead') return { kind: 'failed', reason: 'broken' };
      if (seen.length <= 2) throw new Error('a bug');
      return DONE;
    });
    await messaging.consume('cleanup', handler, { concurrency: 2 });
    await messaging.publish(messageAbout('call_dead', 'call.completed'));
    await messaging.publish(messageAbout('call_thrown', 'call.completed'));
    await saw(2);
    await rabbitmqctl('set_vm_memory_high_watermark', '0');
    // The broker says so to a connection that publishes.
    await until(
      () => messaging.publish(messageAbout('call_probe', 'call.uploaded')).then(() => null, String),
      (refusal) => refusal !== null,
    );
    blocked.resolve();
    await rabbitmqctl('set_vm_memory_high_watermark', '0.6');
    await saw(3);
    expect(seen[2]).toBe('call_thrown');
    const [letter] = await until(
      () => messaging.deadLetters(10),
      (letters) => letters.length === 1,
    );
    expect(letter?.body).toContain('call_dead');
  });

  it('consumes again when the broker closed the channel over an acknowledgement that took too long; the late outcome counts for nothing', async () => {
    await rabbitmqctl(
      'eval',
      'application:set_env(rabbit, channel_tick_interval, 200), application:set_env(rabbit, consumer_timeout, 500).',
    );
    try {
      const lines: string[] = [];
      const messaging = await open(url(), { lines });
      const deliveries: number[] = [];
      const late = Promise.withResolvers<void>();
      const consumer = await messaging.consume(
        'transcription',
        async ({ data }, { delivery }) => {
          deliveries.push(delivery);
          if (data.callId === 'call_slow' && delivery === 1) {
            await late.promise;
            return { kind: 'failed', reason: 'too late' };
          }
          return DONE;
        },
        { concurrency: 2 },
      );
      await messaging.publish(messageAbout('call_slow', 'transcription.requested'));
      await until(
        () => lines.join(''),
        (text) => text.includes('PRECONDITION_FAILED'),
        30_000,
      );
      await until(
        () => deliveries,
        (all) => all.length === 2,
      );
      late.resolve();
      await until(
        () => consumer.ready(),
        (reason) => reason === null,
      );
      await messaging.publish(messageAbout('call_next', 'transcription.requested'));
      await until(
        () => deliveries,
        (all) => all.length === 3,
      );
      await consumer.close();
      expect(deliveries).toEqual([1, 2, 1]);
      expect(await messaging.depth('transcription')).toBe(0);
      expect(await messaging.deadLetters(10)).toEqual([]);
    } finally {
      await rabbitmqctl(
        'eval',
        'application:set_env(rabbit, channel_tick_interval, 60000), application:set_env(rabbit, consumer_timeout, 1800000).',
      );
    }
  });

  it('survives a broker whose channels all die of an internal error', async () => {
    const messaging = await open(url());
    const { flows, allArrive } = await traffic(messaging);
    await flows();
    await rabbitmqctl('eval', '[exit(Channel, kill) || Channel <- rabbit_channel:list()].');
    await flows();
    await allArrive();
  });

  it('starts without a broker, says that there is none, and works when there is', async () => {
    await rabbitmqctl('stop_app');
    const messaging = await open(url());
    expect(messaging.ready()).toMatch(/handshake|ECONN/);
    const { handler, saw } = recorder();
    const consumer = await messaging.consume('cleanup', handler, { concurrency: 1 });
    expect(consumer.ready()).not.toBeNull();
    await expect(messaging.publish(messageAbout('call_1', 'call.completed'))).rejects.toMatchObject({
      failure: { code: 'broker_unavailable' },
    });
    await expect(messaging.depth('cleanup')).rejects.toMatchObject({ failure: { code: 'broker_unavailable' } });
    await expect(messaging.deadLetters(1)).rejects.toMatchObject({ failure: { code: 'broker_unavailable' } });
    await rabbitmqctl('start_app');
    await until(
      () => [messaging.ready(), consumer.ready()],
      (reasons) => reasons.every((reason) => reason === null),
      60_000,
    );
    await messaging.publish(messageAbout('call_2', 'call.completed'));
    await saw(1);
  });

  it('closes while there is no broker', async () => {
    const messaging = await open(url());
    const consumer = await messaging.consume('cleanup', recorder().handler, { concurrency: 1 });
    await rabbitmqctl('stop_app');
    await consumer.close();
    await messaging.close();
    expect(messaging.ready()).toBe('closed');
    await rabbitmqctl('start_app');
  });

  it('says that it is refused, with a reason and without the password', async () => {
    const messaging = await open(`amqp://guest:wrong-password@127.0.0.1:${port}`);
    expect(messaging.ready()).toContain('ACCESS_REFUSED');
    expect(messaging.ready()).not.toContain('wrong-password');
  });
});
