import type { Overview, OverviewQuery, SaleStatus } from '@call-analytics/contracts';
import { type Day, daysOf } from '../overview/days.ts';
import { MOST_EXAMINED, MOST_PRODUCTS, NO_CALLS, overviewOf, type Sums } from '../overview/overview.ts';
import type { Remarks } from '../overview/remarks.ts';
import type { Database } from './database.ts';
import { BY_STATUS, OF_ACCOUNT, SHOWN } from './listing.ts';

type DaySums = Sums & { _id: Date };
interface Counted {
  days: DaySums[];
  saleStatuses: { _id: SaleStatus; calls: number }[];
  products: { _id: string; calls: number }[];
}

const SCORED = { $match: { score: { $ne: null } } };
const MAJORITY = { readConcern: { level: 'majority' } } as const;
const one = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } });
const has = (field: string) => ({ $ne: [field, null] });

/** Counts the entries of one index, without a look at the documents; of the latest completed calls alone it reads what was found in them. */
export async function overview(
  { calls }: Database,
  accountId: string,
  { from, to, timeZone }: OverviewQuery,
): Promise<Overview> {
  const days = daysOf(from, to, timeZone);
  const range = { $gte: days[0]?.start ?? new Date(0), $lt: days.at(-1)?.end ?? new Date(0) };
  const [counted, remarks] = await Promise.all([
    calls
      .aggregate<Counted>(
        [
          { $match: { accountId, createdAt: range, status: SHOWN } },
          { $project: { _id: 0, createdAt: 1, status: 1, score: 1, saleStatus: 1, product: 1 } },
          {
            $facet: {
              days: sumsByDay(days),
              saleStatuses: [SCORED, ...countsOf('saleStatus')],
              products: mostOf('product', MOST_PRODUCTS),
            },
          },
        ],
        { hint: OF_ACCOUNT, ...MAJORITY },
      )
      .next(),
    calls
      .find(
        { accountId, status: 'completed', createdAt: range, score: { $ne: null } },
        {
          projection: { 'analysis.objections.text': 1, 'analysis.managerMistakes.text': 1 },
          hint: BY_STATUS,
          sort: { createdAt: -1, _id: -1 },
          limit: MOST_EXAMINED,
          ...MAJORITY,
        },
      )
      .toArray(),
  ]);
  const sums = new Map(counted?.days.map(({ _id, ...each }) => [_id.getTime(), each]));
  return overviewOf({
    days: days.map((day) => ({ ...day, ...(isEmpty(day) ? NO_CALLS : (sums.get(day.start.getTime()) ?? NO_CALLS)) })),
    saleStatuses: Object.fromEntries(counted?.saleStatuses.map(({ _id, calls: number }) => [_id, number]) ?? []),
    products: counted?.products.map(({ _id, calls: number }) => ({ product: _id, calls: number })) ?? [],
    remarks: remarks.flatMap(({ analysis }): Remarks[] =>
      analysis === undefined
        ? []
        : [{ objections: textsOf(analysis.objections), mistakes: textsOf(analysis.managerMistakes) }],
    ),
  });
}

function sumsByDay(days: Day[]): object[] {
  const boundaries = [...new Set(days.flatMap(({ start, end }) => [start.getTime(), end.getTime()]))].map(
    (ms) => new Date(ms),
  );
  const output = {
    calls: { $sum: 1 },
    completed: one({ $eq: ['$status', 'completed'] }),
    failed: one({ $eq: ['$status', 'failed'] }),
    scored: one(has('$score')),
    score: { $sum: '$score' },
  };
  // Nothing lies between no boundaries.
  return boundaries.length < 2
    ? [{ $limit: 1 }, { $match: { _id: 'none' } }]
    : [{ $bucket: { groupBy: '$createdAt', boundaries, output } }];
}

function countsOf(field: string): object[] {
  return [{ $match: { [field]: { $ne: null } } }, { $group: { _id: `$${field}`, calls: { $sum: 1 } } }];
}

function mostOf(field: string, most: number): object[] {
  return [...countsOf(field), { $sort: { calls: -1, _id: 1 } }, { $limit: most }];
}

/** A day that the place's calendar has left out begins when the next one does. */
function isEmpty({ start, end }: Day): boolean {
  return start.getTime() === end.getTime();
}

function textsOf(findings: { text: string }[]): string[] {
  return findings.map(({ text }) => text);
}
