import { readFileSync } from 'node:fs';
import { brokerQueue, DEAD_LETTER_QUEUE, QUEUE_NAMES } from '@call-analytics/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RabbitMQContainer, type StartedRabbitMQContainer } from '@testcontainers/rabbitmq';
import { describeWithServers, IMAGES } from '../servers/index.ts';
import { openings } from './messaging.rabbitmq.fixture.ts';
import { messageAbout, recorder } from './messaging.under-test.ts';
import { until } from './until.ts';

const folder = new URL('../../deploy/rabbitmq/', import.meta.url);
const QUEUES = [...QUEUE_NAMES.map(brokerQueue), DEAD_LETTER_QUEUE];

describeWithServers('the broker of an installation, started by deploy/rabbitmq/start.sh,', () => {
  const open = openings();
  let broker: StartedRabbitMQContainer;

  beforeAll(async () => {
    broker = await new RabbitMQContainer(IMAGES.rabbitmq)
      .withEnvironment({ RABBITMQ_DEFAULT_USER: 'calls', RABBITMQ_DEFAULT_PASS: 'a-password' })
      .withCopyFilesToContainer(
        ['start.sh', 'definitions.json'].map((name) => ({
          source: new URL(name, folder).pathname,
          target: `/etc/rabbitmq/call-analytics/${name}`,
        })),
      )
      .withEntrypoint(['/bin/sh', '/etc/rabbitmq/call-analytics/start.sh'])
      .start();
  }, 120_000);
  afterAll(() => broker.stop({ timeout: 0 }));

  const url = () => broker.getAmqpUrl().replace('amqp://', 'amqp://calls:a-password@');
  const json = async (...args: string[]) => {
    const { stdout } = await broker.exec(['rabbitmqctl', '-q', '--formatter', 'json', ...args]);
    return JSON.parse(stdout) as Record<string, unknown>[];
  };

  it('has the user that its environment names and no other, no password in a file, and messages flow', async () => {
    const messaging = await open(url());
    expect(messaging.ready()).toBeNull();
    const { handler, saw } = recorder();
    await messaging.consume('cleanup', handler, { concurrency: 1 });
    await messaging.publish(messageAbout('call_1', 'call.completed'));
    await saw(1);
    expect((await json('list_users')).map(({ user }) => user)).toEqual(['calls']);
    expect(readFileSync(new URL('definitions.json', folder), 'utf8')).not.toMatch(/users|password/);
  });

  it('has a policy for each queue: nothing is given up for having come back often, and work may take hours', async () => {
    await open(url());
    const queues = await until(
      () => json('list_queues', 'name', 'type', 'effective_policy_definition'),
      (all) => all.length > 0 && all.every(({ effective_policy_definition: policy }) => Array.isArray(policy) && policy.length > 0),
      60_000,
    );
    const policies = Object.fromEntries(
      queues.map(({ name, effective_policy_definition: policy }) => [name, Object.fromEntries(policy as [string, unknown][])]),
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
