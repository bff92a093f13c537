import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type CallStore, openSqliteCallStore } from '@call-analytics/calls';
import { CallSearch } from '@call-analytics/contracts';
import { bounded, type Context, type Measure, type Result } from '../harness/measure.ts';
import { SPOKEN, seedSpokenCalls } from '../seed/spoken.ts';

export const SEARCHED_ACCOUNT = 'bench';
/** In ms, for a page of 25 and the total: what goes unnoticed, and what a search that finds everything may take. */
const TARGETS = { few: { atMost: 250 }, all: { atMost: 1_500 } } as const;
const RUNS = 7;

/** A search by words among many calls with transcripts of five minutes. Asked of the store itself. */
export const search: Measure = {
  name: 'search',
  async run({ workspace, quick, full, progress }: Context): Promise<Result[]> {
    const count = searchedCalls({ quick, full });
    const file = join(workspace.folder('search'), 'calls.sqlite');
    const store = openSqliteCallStore({ file });
    try {
      const ms = await seedSpokenCalls(store, { accountId: SEARCHED_ACCOUNT, count });
      const mib = Math.round(statSync(file).size / 2 ** 20);
      progress(`${count} calls written in ${(ms / 1_000).toFixed(1)} s, ${mib} MiB`);
      return await searches(store, count);
    } finally {
      await store.close();
    }
  },
};

export function searchedCalls({ quick, full }: Pick<Context, 'quick' | 'full'>): number {
  return full ? 100_000 : quick ? 2_000 : 20_000;
}

/** @param store with so many calls of the account, made by seedSpokenCalls */
export async function searches(store: CallStore, count: number): Promise<Result[]> {
  const cases: { what: string; text: string; atLeast: number; target: { atMost: number } }[] = [
    { what: 'one file name', text: `customer ${count}`, atLeast: 1, target: TARGETS.few },
    { what: 'a rare word', text: SPOKEN.rare, atLeast: 1, target: TARGETS.few },
    { what: 'a rare and a common word', text: `${SPOKEN.common} ${SPOKEN.rare}`, atLeast: 1, target: TARGETS.few },
    { what: 'a word of nearly all calls', text: SPOKEN.common, atLeast: count * 0.9, target: TARGETS.all },
    {
      what: 'two words of nearly all calls',
      text: `${SPOKEN.alsoCommon} ${SPOKEN.common}`,
      atLeast: count * 0.9,
      target: TARGETS.all,
    },
    { what: 'one letter', text: 'b', atLeast: count * 0.9, target: TARGETS.all },
  ];
  const results: Result[] = [];
  for (const { what, text, atLeast, target } of cases) {
    const query = CallSearch.parse({ text });
    const { total } = await store.search(SEARCHED_ACCOUNT, query);
    // A fast answer that is wrong would be no finding.
    if (total < atLeast) throw new Error(`${what}: ${total} calls found`);
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const began = performance.now();
      await store.search(SEARCHED_ACCOUNT, query);
      times.push(performance.now() - began);
    }
    results.push(
      bounded(`A search among ${count} calls: ${what}`, 'ms', times, target, { notes: [`${total} calls found`] }),
    );
  }
  return results;
}
