import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { until } from '../until.fixture.ts';
import { deploymentOfItsOwn } from './deployment-tests.fixture.ts';

const OUTAGE_MS = 30_000;

describeWithServers('nothing that was accepted is lost when the call store', () => {
  // The lease is longer than a restart takes: what a worker had in flight is nobody else's meanwhile.
  const the = deploymentOfItsOwn({ LEASE_DURATION: '15s' });

  it('is killed and starts again, in the middle of everything', async () => {
    const [one, other] = [await the.account(), await the.account()];
    the.deployment.slowEngine(500);
    await Promise.all([one.uploads(4), other.uploads(4)]);
    const restarted = the.servers.mongodb.restart();
    const insisted = await Promise.all([one.insist(), other.insist(), one.insist()]);
    await restarted;
    the.expectOnlyRetries(insisted);
    await the.expectNothingLost(11);
  });

  it(`cannot be reached for ${OUTAGE_MS / 1_000} s: uploads are told to come again, and what the engine answers meanwhile is kept`, async () => {
    const account = await the.account();
    the.deployment.slowEngine(3_000);
    await account.uploads(2);
    await until(() => the.deployment.standIn.requests.length >= 2, 'the engine is asked');
    await the.servers.mongodb.network.swallow();
    const outage = delay(OUTAGE_MS);
    const refused = await Promise.all([account.upload(), account.upload(), account.upload()]);
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    const reading = await account.client.fetch('/calls');
    expect([reading.status, reading.headers.get('retry-after')]).toEqual([503, '5']);
    const insisting = account.insist();
    await outage;
    await the.servers.mongodb.heal();
    the.expectOnlyRetries([await insisting]);
    await the.expectNothingLost(3);
  });
});
