import { openMongoCallStore } from '@call-analytics/calls/mongo';
import type { Context, Measure, Result } from '../../harness/measure.ts';
import { SEARCHED_ACCOUNT, searchedCalls, searches } from '../../measures/search.ts';
import { seedSpokenCalls } from '../../seed/spoken.ts';
import { Installation } from '../environment/installation.ts';

/** The searches by words of the measure of the same name, in MongoDB. */
export const search: Measure = {
  name: 'search',
  async run({ workspace, quick, full, progress }: Context): Promise<Result[]> {
    const count = searchedCalls({ quick, full });
    const installation = await Installation.make(workspace);
    const store = openMongoCallStore({ url: installation.environment.MONGODB_URL });
    try {
      const ms = await seedSpokenCalls(store, { accountId: SEARCHED_ACCOUNT, count });
      progress(`${count} calls written in ${(ms / 1_000).toFixed(1)} s`);
      return await searches(store, count);
    } finally {
      await store.close();
      await installation.remove();
    }
  },
};
