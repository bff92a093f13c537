import type { CallStore } from '@call-analytics/calls';
import { openMongoCallStore } from '@call-analytics/calls/mongo';
import { STAGES } from '@call-analytics/contracts';
import { type Context, compared, interleaved, type Measure, type Result } from '../../harness/measure.ts';
import { Installation } from '../environment/installation.ts';
import { seedFinishedCalls } from '../seed/finished.ts';

const FEW = 1_000;
const ACCOUNT = 'bench';
const PAGE = { limit: 50, offset: 0 };

/** What a list, a poll and the dispatcher's scan cost when there are very many finished calls, against a thousand. */
export const growth: Measure = {
  name: 'growth',
  async run({ workspace, quick, full, progress }: Context): Promise<Result[]> {
    const many = full ? 1_000_000 : quick ? 20_000 : 200_000;
    const [runs, perRun] = quick ? [3, 50] : [9, 200];
    const open = async (count: number) => {
      const installation = await Installation.make(workspace);
      const url = installation.environment.MONGODB_URL;
      const began = performance.now();
      await seedFinishedCalls(url, { accountId: ACCOUNT, count, documents: false });
      progress(`${count} calls written in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      const store = await openMongoCallStore({ url });
      const { calls, total } = await store.list(ACCOUNT, PAGE);
      // A fast answer that is wrong would be no finding.
      if (calls.length !== PAGE.limit || total !== count) throw new Error(`a page of ${calls.length}, total ${total}`);
      return { installation, store, ids: calls.map(({ id }) => id) };
    };
    const [inMany, inFew] = [await open(many), await open(FEW)];
    type Stored = typeof inFew;
    const cases: { what: string; ask(stored: Stored, time: number): Promise<unknown> }[] = [
      { what: 'a page and the total', ask: ({ store }) => store.list(ACCOUNT, PAGE) },
      { what: 'a poll', ask: ({ store, ids }, time) => store.detail(ACCOUNT, ids[time % ids.length] ?? '') },
      { what: "the dispatcher's scan", ask: ({ store }) => scan(store) },
    ];
    const results: Result[] = [];
    for (const { what, ask } of cases) {
      const micros = async (stored: Stored): Promise<number> => {
        const began = performance.now();
        for (let time = 0; time < perRun; time += 1) await ask(stored, time);
        return ((performance.now() - began) / perRun) * 1_000;
      };
      const measured = await interleaved(
        runs,
        () => micros(inMany),
        () => micros(inFew),
      );
      results.push(compared(`${what} at ${many} calls, against ${FEW}`, 'µs', measured, { atMost: 2 }));
    }
    for (const { store, installation } of [inMany, inFew]) {
      await store.close();
      await installation.remove();
    }
    return results;
  },
};

/** All that the dispatcher asks when nothing is to be done. */
async function scan(store: CallStore): Promise<void> {
  const now = new Date();
  await store.expiredLeases(now, 100);
  await store.endedWaits(now, 100);
  await store.outbox(100);
  const queues = await store.queues(now);
  for (const stage of STAGES) await queues.backlog(stage, 1);
  await store.nextWake(now);
}
