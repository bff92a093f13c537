import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type IsolatedServers, isolate } from '../servers/isolated.fixture.ts';
import type { Servers } from '../servers/servers.ts';
import type { Account } from './account.fixture.ts';
import { type Audit, auditCalls, NOTHING_LOST } from './audit.fixture.ts';
import { Deployment } from './deployment.fixture.ts';
import { startServers } from './faulty-servers.fixture.ts';

/**
 * A service goes on refusing for some seconds after what it misses is back: until an upload is accepted, and its call
 * done.
 */
async function goesOn(deployment: Deployment<IsolatedServers>): Promise<void> {
  const account = await deployment.account();
  await account.insist();
  for (const id of account.accepted) await account.client.finished(id, WITHIN_MS);
}

/** Longer than it takes until everything goes on after a fault, in ms. */
const WITHIN_MS = 150_000;
const START_WITHIN_MS = 240_000;

/**
 * For the tests of one file: an installation with servers of its own. Whatever was done to them is over before the next
 * test begins.
 */
export function deploymentOfItsOwn(settings: Record<string, string> = {}) {
  return deploymentFor(startServers, (servers) => servers.heal(), settings, goesOn);
}

/** For the tests of one file: an installation on the shared servers, for what happens to processes alone. */
export function deploymentOn(servers: Servers, settings: Record<string, string> = {}) {
  return deploymentFor(
    (removal) => isolate(servers, removal),
    async () => {},
    settings,
  );
}

function deploymentFor<On extends IsolatedServers>(
  start: (removal: AsyncDisposableStack) => Promise<On>,
  heal: (servers: On) => Promise<void>,
  settings: Record<string, string>,
  recovered: (deployment: Deployment<IsolatedServers>) => Promise<void> = async () => {},
) {
  const removal = new AsyncDisposableStack();
  let deployment: Deployment<On>;
  let accounts: Account[] = [];
  beforeAll(async () => {
    deployment = await Deployment.start(await start(removal), removal, settings);
  }, START_WITHIN_MS);
  afterEach(async () => {
    await heal(deployment.servers);
    await recovered(deployment);
    accounts = [];
    deployment.standIn.faults.length = 0;
    deployment.standIn.requests.length = 0;
  });
  afterAll(() => removal.disposeAsync());

  return {
    get deployment() {
      return deployment;
    },
    get servers() {
      return deployment.servers;
    },
    get cluster() {
      return deployment.cluster;
    },

    async account(): Promise<Account> {
      const account = await deployment.account();
      accounts.push(account);
      return account;
    },

    /** An outage is nobody's bug: clients are told to come again, and never 500. Shows what the services logged. */
    expectOnlyRetries(insisted: { statuses: (number | null)[] }[]): void {
      const others = insisted.flatMap(({ statuses }) => statuses).filter((status) => status !== 202 && status !== 503);
      const logged = others.length === 0 ? [] : deployment.cluster.log().filter(({ level }) => level === 'error');
      expect({ others, logged }).toEqual({ others: [], logged: [] });
    },

    /**
     * Ends what is being done to the servers, waits until everything is finished, and compares.
     * @param calls how many were accepted
     * @param paidTwiceAtMost pieces that were with the engine when the worker died, which nobody can know the end of
     * @param except what may be otherwise
     */
    async expectNothingLost(
      calls: number,
      { paidTwiceAtMost = 0, ...except }: Partial<Audit> & { paidTwiceAtMost?: number } = {},
    ): Promise<void> {
      await heal(deployment.servers);
      const { cutShort: _, ...audit } = await auditCalls(deployment, accounts, WITHIN_MS);
      const paidTwice = Math.min(audit.paidTwice, paidTwiceAtMost);
      expect(audit).toEqual({ ...NOTHING_LOST, accepted: calls, completed: calls, paidTwice, ...except });
    },
  };
}
