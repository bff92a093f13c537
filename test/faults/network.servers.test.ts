import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { siteOfItsOwn } from './for-tests.ts';
import type { Wire } from './wire.ts';

/** How long each network is bad, in ms: several connections come and go meanwhile. */
const BAD_FOR_MS = 6_000;

const FAULTS: Record<string, (wire: Wire) => Promise<void>> = {
  'cuts what the services say in the middle of a frame': (wire) => wire.cutAfter(1_777, 'upstream'),
  'cuts what the servers say in the middle of a frame': (wire) => wire.cutAfter(777, 'downstream'),
  'is as slow as 10 kB a second': (wire) => wire.slowDown(10_000),
  'resets connections at random': (wire) => wire.reset(0.5, 200),
};

describeWithServers('nothing is lost when the network', () => {
  const the = siteOfItsOwn();

  it.each(Object.keys(FAULTS))('%s', async (fault) => {
    const { mongodb, rabbitmq, minio } = the.servers;
    const [one, other] = [await the.account(), await the.account()];
    the.site.slowEngine(300);
    await Promise.all([one.uploads(3), other.uploads(3)]);
    await Promise.all([mongodb, rabbitmq, minio].map(({ wire }) => FAULTS[fault]?.(wire)));
    const insisting = Promise.all([one.insist(), other.insist(), one.insist(), other.insist()]);
    await delay(BAD_FOR_MS);
    await the.servers.heal();
    // Whatever the network does is nobody's bug: the client is told to come again, and never 500.
    expect((await insisting).flat().filter((status) => status !== 202 && status !== 503)).toEqual([]);
    await the.expectNothingLost(10);
  });
});
