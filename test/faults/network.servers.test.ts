import { setTimeout as delay } from 'node:timers/promises';
import { it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { deploymentOfItsOwn } from './deployment-tests.fixture.ts';
import type { NetworkProxy } from './faulty-servers.fixture.ts';

/** How long each network is bad, in ms: several connections come and go meanwhile. */
const BAD_FOR_MS = 6_000;

const FAULTS: Record<string, (network: NetworkProxy) => Promise<void>> = {
  'cuts what the services say in the middle of a frame': (network) => network.cutAfter(1_777, 'upstream'),
  'cuts what the servers say in the middle of a frame': (network) => network.cutAfter(777, 'downstream'),
  'is as slow as 10 kB a second': (network) => network.slowDown(10_000),
  'resets connections at random': (network) => network.reset(0.5, 200),
};

describeWithServers('nothing is lost when the network', () => {
  // A worker that cannot renew its lease loses it, and what is at the engine then may be paid for twice: the lease is
  // longer than the network is bad.
  const the = deploymentOfItsOwn({ LEASE_DURATION: '15s' });

  it.each(Object.keys(FAULTS))('%s', async (fault) => {
    const { mongodb, rabbitmq, minio } = the.servers;
    const [one, other] = [await the.account(), await the.account()];
    the.deployment.slowEngine(300);
    await Promise.all([one.uploads(3), other.uploads(3)]);
    await Promise.all([mongodb, rabbitmq, minio].map(({ network }) => FAULTS[fault]?.(network)));
    const insisting = Promise.all([one.insist(), other.insist(), one.insist(), other.insist()]);
    await delay(BAD_FOR_MS);
    await the.servers.heal();
    the.expectOnlyRetries(await insisting);
    await the.expectNothingLost(10);
  });
});
