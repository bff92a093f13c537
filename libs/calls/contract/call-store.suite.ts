import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallStore } from '../index.ts';
import { analyzingAgain } from './analyses.suite.ts';
import { Fixture } from './call-store.fixture.ts';
import { answering } from './corrections.suite.ts';
import { dispatching, leading } from './dispatching.suite.ts';
import { draining } from './draining.suite.ts';
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
import { spending } from './spending.suite.ts';
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
    let fixture: Fixture;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const opened = await open();
      fixture = new Fixture(opened.store);
      close = opened.close;
    });
    afterEach(() => close());

    accepting(() => fixture);
    lifecycle(() => fixture);
    leases(() => fixture);
    keeping(() => fixture);
    listing(() => fixture);
    dispatching(() => fixture);
    queueing(() => fixture);
    leading(() => fixture);
    announcing(() => fixture);
    draining(() => fixture);
    removing(() => fixture);
    retention(() => fixture);
    correcting(() => fixture);
    answering(() => fixture);
    analyzingAgain(() => fixture);
    accountSettings(() => fixture);
    spending(() => fixture);
    searching(() => fixture);
    searchingWords(() => fixture);
    summing(() => fixture);
    tracking(() => fixture);

    it('is ready while it is open, and says why not when it is closed', async () => {
      expect(await fixture.store.ready()).toBeNull();
      await fixture.store.close();
      expect(await fixture.store.ready()).toEqual(expect.any(String));
      await expect(fixture.store.get('call')).rejects.toMatchObject({
        failure: { kind: 'transient', code: 'store_unavailable' },
      });
    });
  });
}
