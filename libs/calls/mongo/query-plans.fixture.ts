import type { Command } from './watched.fixture.ts';

// Reads the explained plans of MongoDB: https://www.mongodb.com/docs/manual/reference/explain-results/

/** The stages of a plan and of its parts; not of plans that were rejected. */
export function stagesOf(explained: unknown): string[] {
  if (typeof explained !== 'object' || explained === null) return [];
  return Object.entries(explained).flatMap(([key, value]) => {
    if (key === 'rejectedPlans' || key === 'command' || key === '$lookup') return [];
    if (key === 'stage' && typeof value === 'string') return [value];
    return [...(key === '$sort' ? ['SORT'] : []), ...stagesOf(value)];
  });
}

export const KEYS = /^totalKeysExamined$/;
export const DOCUMENTS = /^totalDocsExamined$/;

/** How many index entries and documents were read. */
export function costOf(explained: unknown, kind = /^(total)?(Keys|Docs)Examined$/i): number {
  if (typeof explained !== 'object' || explained === null) return 0;
  const entries = Object.entries(explained);
  const told = entries.filter(([key]) => kind.test(key));
  // What a plan tells includes what its stages tell.
  if (told.length > 0) return sum(told.map(([, value]) => Number(value)));
  return sum(entries.map(([key, value]) => (key === 'rejectedPlans' ? 0 : costOf(value, kind))));
}

export function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Lookups say that they have scanned, and nothing of how they sort: their pipelines are explained by themselves. */
export function lookupsOf(command: Command): Command[] {
  const pipelines = [command.pipeline as Command[] | undefined];
  const found: Command[] = [];
  for (const pipeline of pipelines) {
    for (const stage of pipeline ?? []) {
      const { $lookup, $unionWith } = stage as {
        $lookup?: { foreignField: string; pipeline: Command[] };
        $unionWith?: { pipeline: Command[] };
      };
      if ($unionWith !== undefined) pipelines.push($unionWith.pipeline);
      if ($lookup === undefined) continue;
      found.push({
        aggregate: command.aggregate,
        pipeline: [{ $match: { [$lookup.foreignField]: 'account 1' } }, ...$lookup.pipeline],
        cursor: {},
      });
    }
  }
  return found;
}
