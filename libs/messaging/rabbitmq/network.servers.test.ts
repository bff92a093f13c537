import { describeWithServers, IMAGES } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { RabbitMQContainer, type StartedRabbitMQContainer } from '@testcontainers/rabbitmq';
import { type CreatedProxy, type StartedToxiProxyContainer, ToxiProxyContainer } from '@testcontainers/toxiproxy';
import { Network, type StartedNetwork } from 'testcontainers';
import { messageAbout, recorder } from '../messaging.fixture.ts';
import { openings, purge, traffic } from './rabbitmq.fixture.ts';

describeWithServers('messaging over a network that', () => {
  const open = openings();
  let network: StartedNetwork;
  let broker: StartedRabbitMQContainer;
  let toxiproxy: StartedToxiProxyContainer;
  let proxy: CreatedProxy;

  beforeAll(async () => {
    network = await new Network().start();
    [broker, toxiproxy] = await Promise.all([
      new RabbitMQContainer(IMAGES.rabbitmq).withNetwork(network).withNetworkAliases('broker').start(),
      new ToxiProxyContainer(IMAGES.toxiproxy).withNetwork(network).start(),
    ]);
    proxy = await toxiproxy.createProxy({ name: 'broker', upstream: 'broker:5672' });
  }, 120_000);
  afterAll(async () => {
    await Promise.all([broker.stop({ timeout: 0 }), toxiproxy.stop({ timeout: 0 })]);
    await network.stop();
  });
  afterEach(async () => {
    await healed();
    await purge(broker, 'calls.cleanup');
  });

  const url = () => `amqp://guest:guest@${proxy.host}:${proxy.port}`;
  type Toxic = Parameters<typeof proxy.instance.addToxic>[0];
  const ill = async (
    type: string,
    attributes: object,
    streams: ('upstream' | 'downstream')[] = ['upstream', 'downstream'],
  ) => {
    for (const stream of streams) {
      await proxy.instance.addToxic({ type, attributes, stream, name: `${type}_${stream}`, toxicity: 1 } as Toxic);
    }
  };
  const healed = () => toxiproxy.client.reset();

  it('swallows the confirms: a message without one is not taken for published, and all goes on over a new connection', async () => {
    const messaging = await open(url());
    const { flows, refused, allArrive } = await traffic(messaging);
    await flows();
    await ill('timeout', { timeout: 0 }, ['downstream']);
    await refused('no answer to a message');
    await healed();
    await flows();
    await allArrive();
  });

  it('swallows everything: the silence is noticed, on the consuming side too', async () => {
    const lines: string[] = [];
    const messaging = await open(`${url()}?heartbeat=1`, { lines });
    const { handler, saw } = recorder();
    const consumer = await messaging.consume('cleanup', handler, { concurrency: 1 });
    await ill('timeout', { timeout: 0 });
    await until(
      () => consumer.ready(),
      (reason) => reason !== null,
      60_000,
    );
    // Both sides listen for the other's heart: whichever of them is the first to miss it ends the connection.
    expect(lines.join('')).toMatch(/Heartbeat timeout|Unexpected close/);
    await healed();
    await until(
      () => [messaging.ready(), consumer.ready()],
      (reasons) => reasons.every((reason) => reason === null),
      60_000,
    );
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    await saw(1);
  });

  it('goes away and comes back', async () => {
    const messaging = await open(url());
    const { flows, refused, allArrive } = await traffic(messaging);
    await flows();
    await proxy.setEnabled(false);
    // How a closed port refuses depends on the engine's port forwarding: ECONNREFUSED, or a connection that ends at
    // once.
    await refused('broker is not available');
    await proxy.setEnabled(true);
    await flows();
    await allArrive();
  });

  it('carries 10 kB in a second: what is accepted arrives', async () => {
    const messaging = await open(url());
    const { flows, allArrive, accepted } = await traffic(messaging);
    await flows();
    await ill('bandwidth', { rate: 10 });
    const before = accepted.size;
    await until(
      () => accepted.size,
      (size) => size > before + 50,
      60_000,
    );
    await healed();
    await flows();
    await allArrive();
  });

  // Each number of bytes cuts somewhere else: in the middle of a frame, in the handshake, in a declaration, between a
  // message and its confirm.
  it.each([
    ...[1, 100, 441, 600, 777, 900, 1_111, 1_500, 2_222, 3_000, 5_555, 12_345].map((bytes) => ({ bytes, latency: 0 })),
    ...[500, 1_300, 2_700].map((bytes) => ({ bytes, latency: 5 })),
  ])('is cut after $bytes bytes of each connection, with a delay of $latency ms', async ({ bytes, latency }) => {
    const lines: string[] = [];
    const messaging = await open(url(), { lines });
    const { flows, allArrive } = await traffic(messaging);
    await flows();
    if (latency > 0) await ill('latency', { latency });
    await ill('limit_data', { bytes });
    await until(
      () => lines.filter((line) => /lost the connection|cannot connect/.test(line)).length,
      (count) => count >= 3,
      60_000,
    );
    await healed();
    await flows();
    await allArrive();
  });

  it.each([0, 2, 5, 13, 30])('resets connections after %d ms, in the middle of their setting up', async (timeout) => {
    const lines: string[] = [];
    const messaging = await open(url(), { lines });
    const { flows, allArrive } = await traffic(messaging);
    await flows();
    await ill('reset_peer', { timeout });
    // Those that are there are not reset: the fault is in the way of those that come.
    await proxy.setEnabled(false);
    await proxy.setEnabled(true);
    await until(
      () => lines.filter((line) => /lost the connection|cannot connect/.test(line)).length,
      (count) => count >= 6,
      60_000,
    );
    await healed();
    await flows();
    await allArrive();
  });

  it('holds the handshake up for ever: that is given up and tried again', async () => {
    await ill('timeout', { timeout: 0 });
    const messaging = await open(url());
    // Which of the two it was: the limit is ours, and a proxy may give up before.
    expect(messaging.ready()).toMatch(/no answer to the handshake|opening handshake/);
    await healed();
    await until(
      () => messaging.ready(),
      (reason) => reason === null,
      60_000,
    );
  });

  it('does not answer any more: closing does not wait for it', async () => {
    const messaging = await open(url());
    const consumer = await messaging.consume('cleanup', recorder().handler, { concurrency: 1 });
    await ill('timeout', { timeout: 0 });
    await consumer.close();
    await messaging.close();
    expect(messaging.ready()).toBe('closed');
  });
});
