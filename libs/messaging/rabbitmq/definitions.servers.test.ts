import { readFileSync } from 'node:fs';
import { brokerQueue, DEAD_LETTER_QUEUE, QUEUE_NAMES } from '@call-analytics/contracts';
import { makeLogger } from '@call-analytics/service-kit';
import { describeWithServers, IMAGES } from '@call-analytics/test/servers/index.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RabbitMQContainer, type StartedRabbitMQContainer } from '@testcontainers/rabbitmq';
import { type Channel, connect } from 'amqplib';
import { messageAbout, recorder } from '../messaging.fixture.ts';
import { inspectBroker } from './inspect.ts';
import { openings } from './rabbitmq.fixture.ts';

const folder = new URL('../../../deploy/rabbitmq/', import.meta.url);
const SERVICES = ['gateway', 'dispatcher', 'transcription', 'analysis', 'cleanup', 'ops'];
const QUEUES = [...QUEUE_NAMES.map(brokerQueue), DEAD_LETTER_QUEUE];

describeWithServers('the broker of an installation, started by deploy/rabbitmq/start.sh,', () => {
  const open = openings();
  let broker: StartedRabbitMQContainer;

  beforeAll(async () => {
    broker = await new RabbitMQContainer(IMAGES.rabbitmq)
      .withEnvironment({
        RABBITMQ_DEFAULT_USER: 'calls',
        RABBITMQ_DEFAULT_PASS: 'a-password',
        ...Object.fromEntries(
          SERVICES.map((service) => [`RABBITMQ_${service.toUpperCase()}_PASSWORD`, `of-${service}`]),
        ),
      })
      .withCopyFilesToContainer(
        ['start.sh', 'definitions.json'].map((name) => ({
          source: new URL(name, folder).pathname,
          target: `/etc/rabbitmq/call-analytics/${name}`,
        })),
      )
      .withEntrypoint(['bash', '/etc/rabbitmq/call-analytics/start.sh'])
      .start();
    await broker.exec(['sh', '-c', 'until [ -f /tmp/imported ]; do sleep 0.2; done']);
  }, 120_000);
  afterAll(() => broker.stop({ timeout: 0 }));

  const urlOf = (user: string, password: string) =>
    broker.getAmqpUrl().replace('amqp://', `amqp://${user}:${password}@`);
  const url = () => urlOf('calls', 'a-password');
  const json = async (...args: string[]) => {
    const { stdout } = await broker.exec(['rabbitmqctl', '-q', '--formatter', 'json', ...args]);
    return JSON.parse(stdout) as Record<string, unknown>[];
  };

  it('has the users that its environment names and no other, no password in a file, and messages flow', async () => {
    const messaging = await open(url());
    expect(messaging.ready()).toBeNull();
    const { handler, saw } = recorder();
    await messaging.consume('cleanup', handler, { concurrency: 1 });
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    await saw(1);
    const users = async () => (await json('list_users')).map(({ user }) => user as string).sort();
    const expected = ['calls', ...SERVICES].sort();
    expect(await until(users, (all) => all.length === expected.length, 60_000)).toEqual(expected);
    const left = await broker.exec(['ls', '/tmp']);
    expect(left.output).not.toContain('users.json');
    expect(readFileSync(new URL('definitions.json', folder), 'utf8')).not.toMatch(/users|password/);
  });

  it('lets each service take from its own queue alone, and pass on what it cannot read', async () => {
    const own = await open(urlOf('cleanup', 'of-cleanup'));
    await own.consume('cleanup', recorder().handler, { concurrency: 1 });
    const sender = await connect(url());
    const channel = await sender.createConfirmChannel();
    channel.publish('', brokerQueue('cleanup'), Buffer.from('{}'), { contentType: 'application/json' });
    await channel.waitForConfirms();
    const operator = await open(urlOf('ops', 'of-ops'));
    await until(
      () => operator.deadLetters(10),
      (letters) => letters.length === 1,
      60_000,
    );

    const worker = await connect(urlOf('transcription', 'of-transcription'));
    const refused = async (ask: (channel: Channel) => Promise<unknown>) => {
      const opened = await worker.createChannel();
      opened.on('error', () => {});
      return ask(opened).then(
        () => 'allowed',
        (error: Error) => (/ACCESS_REFUSED/.test(error.message) ? 'refused' : String(error)),
      );
    };
    const asks = [brokerQueue('transcription'), brokerQueue('cleanup'), DEAD_LETTER_QUEUE];
    const answers = await Promise.all(asks.map((queue) => refused((opened) => opened.get(queue))));
    expect(answers).toEqual(['allowed', 'refused', 'refused']);
    await Promise.all([sender.close(), worker.close()]);
  });

  it('lets operators compare the queues', async () => {
    await open(url());
    const facts = { version: expect.stringMatching(/^\d+\.\d+\.\d+/), missingQueues: [], differentQueues: [] };
    expect(await inspectBroker(urlOf('ops', 'of-ops'), makeLogger('test', 'silent'))).toEqual(facts);
  });

  it('has a policy for each queue: nothing is given up for having come back often, and work may take hours', async () => {
    await open(url());
    const queues = await until(
      () => json('list_queues', 'name', 'type', 'effective_policy_definition'),
      (all) =>
        all.length > 0 &&
        all.every(({ effective_policy_definition: policy }) => Array.isArray(policy) && policy.length > 0),
      60_000,
    );
    const policies = Object.fromEntries(
      queues.map(({ name, effective_policy_definition: policy }) => [
        name,
        Object.fromEntries(policy as [string, unknown][]),
      ]),
    );
    expect(Object.keys(policies).sort()).toEqual([...QUEUES].sort());
    for (const queue of QUEUES) expect(policies[queue]).toMatchObject({ 'delivery-limit': -1 });
    for (const queue of QUEUE_NAMES) {
      expect(policies[brokerQueue(queue)]).toMatchObject({
        'consumer-timeout': 6 * 3_600_000,
        'dead-letter-routing-key': DEAD_LETTER_QUEUE,
      });
    }
  });
});
