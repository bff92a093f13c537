import { afterEach, expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import type { Account } from './account.fixture.ts';
import { deploymentOn } from './deployment-tests.fixture.ts';

/** Seconds until the circuit lets a request through again. */
const SOON = expect.stringMatching(/^([1-9]|10)$/);

describeWithServers('while the accounts service', (servers) => {
  const the = deploymentOn(servers, { ACCOUNTS_DEADLINE: '500ms' });
  const answers = async (account: Account) => {
    const response = await account.client.fetch('/me');
    return [response.status, response.headers.get('retry-after')];
  };
  const accountsService = () => the.cluster.member('accounts');

  afterEach(async () => {
    if (accountsService().process.running) process.kill(accountsService().process.pid, 'SIGCONT');
    else await accountsService().start();
  });

  it.each([
    ['is killed', 'SIGKILL'],
    ['does not answer', 'SIGSTOP'],
  ] as const)(
    '%s, who was known goes on, others are told to come again and never that their key is bad, and nothing is lost',
    async (_, signal) => {
      const [known, unknown] = [await the.account(), await the.account()];
      expect(await answers(known)).toEqual([200, null]);
      the.deployment.slowEngine(300);
      await known.uploads(2);
      process.kill(accountsService().process.pid, signal);
      for (let times = 0; times < 10; times += 1) {
        expect(await answers(known)).toEqual([200, null]);
        expect(await answers(unknown)).toEqual([503, SOON]);
      }
      await known.uploads(2);
      const insisting = unknown.insist();
      if (signal === 'SIGKILL') await accountsService().start();
      else process.kill(accountsService().process.pid, 'SIGCONT');
      the.expectOnlyRetries([await insisting]);
      await the.expectNothingLost(5);
    },
  );
});
