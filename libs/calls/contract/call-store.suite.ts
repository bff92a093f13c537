import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallStore } from '../index.ts';
import { Bench } from './call-store.fixture.ts';
import { dispatching, leading } from './dispatching.suite.ts';
import { announcing, leases } from './leases.suite.ts';
import { lifecycle } from './lifecycle.suite.ts';
import { listing, summing } from './listing.suite.ts';
import { queueing } from './queueing.suite.ts';
import { accepting, keeping } from './records.suite.ts';
import { removing } from './removing.suite.ts';
import { retention } from './retention.suite.ts';
import { searching, searchingWords } from './searching.suite.ts';
import { accountSettings } from './settings.suite.ts';
import { correcting } from './speakers.suite.ts';
import { tracking } from './trackers.suite.ts';

/**
 * What every adapter of `CallStore` must do, asked of the port and through `Calls`.
 * @param open gives an empty store; `close` closes it and removes what it left
 */
export function callStoreContract(
  name: string,
  open: () => Promise<{ store: CallStore; close: () => Promise<void> }>,
): void {
  describe(`call store contract: ${name}`, () => {
    let bench: Bench;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const opened = await open();
      bench = new Bench(opened.store);
      close = opened.close;
    });
    afterEach(() => close());

    accepting(() => bench);
    lifecycle(() => bench);
    leases(() => bench);
    keeping(() => bench);
    listing(() => bench);
    dispatching(() => bench);
    queueing(() => bench);
    leading(() => bench);
    announcing(() => bench);
    removing(() => bench);
    retention(() => bench);
    correcting(() => bench);
    accountSettings(() => bench);
    searching(() => bench);
    searchingWords(() => bench);
    summing(() => bench);
    tracking(() => bench);

    it('is ready while it is open, and says why not when it is closed', async () => {
      expect(await bench.store.ready()).toBeNull();
      await bench.store.close();
      expect(await bench.store.ready()).toEqual(expect.any(String));
      await expect(bench.store.get('call')).rejects.toMatchObject({
        failure: { kind: 'transient', code: 'store_unavailable' },
      });
    });
  });
}
