import { expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { until } from '../until.fixture.ts';
import { deploymentOfItsOwn } from './deployment-tests.fixture.ts';

describeWithServers('nothing is lost when the broker', () => {
  // What ends again soon after it began is told at this level.
  const the = deploymentOfItsOwn({ LOG_LEVEL: 'debug' });

  /** Work is in flight, in queues and in the outbox, and more comes, while the fault lasts. */
  const underLoad = async (fault: () => Promise<unknown>) => {
    const [one, other] = [await the.account(), await the.account()];
    the.deployment.slowEngine(500);
    await Promise.all([one.uploads(4), other.uploads(4)]);
    await until(() => the.deployment.standIn.requests.length > 0, 'the engine is asked');
    const faulty = fault();
    await one.uploads(2);
    await faulty;
    await other.uploads(2);
    await the.expectNothingLost(12);
  };

  it('is killed and starts again', () => underLoad(() => the.servers.rabbitmq.restart()));
  it('loses every message in its queues, again and again', () =>
    underLoad(async () => {
      for (let times = 0; times < 10; times += 1) await the.servers.rabbitmq.purge();
    }));
  it('closes all connections', () => underLoad(() => the.servers.rabbitmq.closeConnections()));
  it('cancels all consumers because their queues are deleted', () =>
    underLoad(() => the.servers.rabbitmq.cancelConsumers()));

  it('closes the channel of a consumer that takes long over a message', async () => {
    const account = await the.account();
    await the.servers.rabbitmq.closeChannelsAfter(500);
    the.deployment.slowEngine(4_000);
    const before = the.cluster.log('transcription').length;
    await account.uploads(3);
    const closed = () =>
      the.cluster
        .log('transcription')
        .slice(before)
        .some(({ reason }) => String(reason).includes('PRECONDITION_FAILED'));
    await until(closed, 'the broker has closed a channel');
    await the.expectNothingLost(3);
  });

  it('loses the message of a grant before anyone has read it: it is granted again', async () => {
    const account = await the.account();
    await the.cluster.member('transcription').kill();
    await account.uploads(1);
    await until(async () => (await the.servers.rabbitmq.depth('transcription')) > 0, 'the message is in its queue');
    await the.servers.rabbitmq.purge();
    await the.cluster.member('transcription').start();
    await the.expectNothingLost(1);
  });

  it('has no memory and takes no messages: uploads are accepted all the same, and go on when it has some', async () => {
    const account = await the.account();
    await the.servers.rabbitmq.alarm(true);
    await account.uploads(3);
    const dispatcher = the.cluster.member('dispatcher');
    await until(async () => (await dispatcher.readiness()) !== null, 'the dispatcher says that it cannot publish');
    await account.uploads(3);
    expect((await account.calls()).map(({ status }) => status)).toEqual(Array(6).fill('queued'));
    await the.expectNothingLost(6);
  });
});
