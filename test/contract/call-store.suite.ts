import type { CallStore } from '@call-analytics/calls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accepting } from './call-store/accepting.ts';
import { announcing } from './call-store/announcing.ts';
import { dispatching } from './call-store/dispatching.ts';
import { Bench } from './call-store/fixtures.ts';
import { keeping } from './call-store/keeping.ts';
import { leading } from './call-store/leading.ts';
import { leases } from './call-store/leases.ts';
import { lifecycle } from './call-store/lifecycle.ts';
import { listing } from './call-store/listing.ts';
import { queueing } from './call-store/queueing.ts';
import { removing } from './call-store/removing.ts';
import { searching } from './call-store/searching.ts';
import { searchingWords } from './call-store/searching-words.ts';
import { summing } from './call-store/summing.ts';

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
    searching(() => bench);
    searchingWords(() => bench);
    summing(() => bench);

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
