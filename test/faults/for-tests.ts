import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Servers } from '../servers/servers.ts';
import type { Account } from './account.ts';
import { type Corner, cornerOf } from './corner.ts';
import { startServers } from './servers.ts';
import { Site } from './site.ts';
import { NOTHING_LOST, type Stock, takeStock } from './stock.ts';

/** A service goes on refusing for some seconds after what it misses is back: until an upload is accepted, and its call done. */
async function goesOn(site: Site<Corner>): Promise<void> {
  const account = await site.account();
  await account.insist();
  for (const id of account.accepted) await account.client.finished(id, WITHIN_MS);
}

/** Longer than it takes until everything goes on after a fault, in ms. */
const WITHIN_MS = 150_000;
const START_WITHIN_MS = 240_000;

/** For the tests of one file: an installation with servers of its own. Whatever was done to them is over before the next test begins. */
export function siteOfItsOwn(settings: Record<string, string> = {}) {
  return sceneOf(startServers, (servers) => servers.heal(), settings, goesOn);
}

/** For the tests of one file: an installation on the shared servers, for what happens to processes alone. */
export function siteOn(servers: Servers, settings: Record<string, string> = {}) {
  return sceneOf(
    (removal) => cornerOf(servers, removal),
    async () => {},
    settings,
  );
}

function sceneOf<On extends Corner>(
  start: (removal: AsyncDisposableStack) => Promise<On>,
  heal: (servers: On) => Promise<void>,
  settings: Record<string, string>,
  recovered: (site: Site<Corner>) => Promise<void> = async () => {},
) {
  const removal = new AsyncDisposableStack();
  let site: Site<On>;
  let accounts: Account[] = [];
  beforeAll(async () => {
    site = await Site.start(await start(removal), removal, settings);
  }, START_WITHIN_MS);
  afterEach(async () => {
    await heal(site.servers);
    await recovered(site);
    accounts = [];
    site.standIn.faults.length = 0;
    site.standIn.requests.length = 0;
  });
  afterAll(() => removal.disposeAsync());

  return {
    get site() {
      return site;
    },
    get servers() {
      return site.servers;
    },
    get cluster() {
      return site.cluster;
    },

    async account(): Promise<Account> {
      const account = await site.account();
      accounts.push(account);
      return account;
    },

    /**
     * Ends what is being done to the servers, waits until everything is finished, and compares.
     * @param calls how many were accepted
     * @param paidTwiceAtMost pieces that were with the engine when the worker died, which nobody can know the end of
     * @param except what may be otherwise
     */
    async expectNothingLost(
      calls: number,
      { paidTwiceAtMost = 0, ...except }: Partial<Stock> & { paidTwiceAtMost?: number } = {},
    ): Promise<void> {
      await heal(site.servers);
      const { cutShort: _, ...stock } = await takeStock(site, accounts, WITHIN_MS);
      const paidTwice = Math.min(stock.paidTwice, paidTwiceAtMost);
      expect(stock).toEqual({ ...NOTHING_LOST, accepted: calls, completed: calls, paidTwice, ...except });
    },
  };
}
