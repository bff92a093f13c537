import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type CallStore, type ListQuery, openSqliteCallStore } from '@call-analytics/calls';
import { type Context, compared, interleaved, type Measure, type Result } from '../harness/measure.ts';
import { seedFinishedCalls } from '../seed/calls.ts';

const FEW = 1_000;

/**
 * What a page and its total cost when there are a thousand times as many calls. Asked of the store itself: HTTP would
 * hide the difference behind its own cost.
 */
export const listGrowth: Measure = {
  name: 'list-growth',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const many = quick ? 100_000 : 1_000_000;
    const [runs, perRun] = quick ? [5, 50] : [40, 100];
    const dir = workspace.folder('list-growth');
    const [fewFile, manyFile] = [join(dir, 'few.sqlite'), join(dir, 'many.sqlite')];
    const began = performance.now();
    await seedFinishedCalls(fewFile, { accountId: 'small', count: FEW, documents: false });
    await seedFinishedCalls(manyFile, { accountId: 'large', count: many, documents: false });
    await seedFinishedCalls(manyFile, { accountId: 'small', count: FEW, documents: false });
    const mib = Math.round(statSync(manyFile).size / 2 ** 20);
    const seeded = `${many} calls of one account written in ${((performance.now() - began) / 1000).toFixed(1)} s, ${mib} MiB`;
    progress(seeded);

    const inFew = openSqliteCallStore({ file: fewFile });
    const inMany = openSqliteCallStore({ file: manyFile });
    const cases: { what: string; account: string; query: ListQuery }[] = [
      { what: 'its own, offset 0', account: 'large', query: { limit: 50, offset: 0 } },
      { what: 'its own, offset 950', account: 'large', query: { limit: 50, offset: 950 } },
      {
        what: 'its own, offset 950, status=completed',
        account: 'large',
        query: { limit: 50, offset: 950, status: 'completed' },
      },
      { what: 'of another account, offset 950', account: 'small', query: { limit: 50, offset: 950 } },
    ];
    const results: Result[] = [];
    for (const { what, account, query } of cases) {
      await check(inFew, 'small', query, FEW);
      await check(inMany, account, query, account === 'large' ? many : FEW);
      const measured = await interleaved(
        runs,
        () => microsecondsPerPage(inMany, account, query, perRun),
        () => microsecondsPerPage(inFew, 'small', query, perRun),
      );
      const title = `Page and total at ${many} calls against ${FEW}: ${what}`;
      results.push(compared(title, 'µs', measured, { atMost: 2 }, [seeded]));
    }
    await Promise.all([inFew.close(), inMany.close()]);
    return results;
  },
};

/** A fast answer that is wrong would be no finding. */
async function check(store: CallStore, account: string, query: ListQuery, total: number): Promise<void> {
  const page = await store.list(account, query);
  if (page.calls.length !== query.limit || page.total !== total)
    throw new Error(`a page of ${page.calls.length}, total ${page.total}`);
}

async function microsecondsPerPage(
  store: CallStore,
  account: string,
  query: ListQuery,
  times: number,
): Promise<number> {
  const began = performance.now();
  for (let time = 0; time < times; time += 1) await store.list(account, query);
  return ((performance.now() - began) / times) * 1000;
}
