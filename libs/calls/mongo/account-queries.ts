import type { CallTotals, OverviewQuery, SaleStatus } from '@call-analytics/contracts';
import {
  type Day,
  daysOf,
  MAX_EXAMINED_CALLS,
  MAX_PRODUCTS,
  NO_CALLS,
  overviewOf,
  remarksOf,
  type Sums,
} from '../overview.ts';
import { addedBy, dayOf, sumOf } from '../spending.ts';
import { type Database, DURABLE, MAJORITY } from './database.ts';
import type { Queries } from './queries.ts';
import { INDEX, NOT_REMOVED } from './schema.ts';

// What is asked over the calls of an account: its overview, what its trackers find, and what it spends.

type DaySums = Sums & { _id: Date };
interface Counted {
  days: DaySums[];
  saleStatuses: { _id: SaleStatus; calls: number }[];
  products: { _id: string; calls: number }[];
}

const SCORED = { $match: { score: { $ne: null } } };
const one = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } });
const has = (field: string) => ({ $ne: [field, null] });

/** Counts entries of one index. Reads documents only of the latest completed calls, for their findings. */
export async function overview(
  { calls }: Database,
  accountId: string,
  { from, to, timeZone }: OverviewQuery,
): Promise<CallTotals> {
  const days = daysOf(from, to, timeZone);
  const range = { $gte: days[0]?.start ?? new Date(0), $lt: days.at(-1)?.end ?? new Date(0) };
  const [counted, remarks] = await Promise.all([
    calls
      .aggregate<Counted>(
        [
          { $match: { accountId, createdAt: range, status: NOT_REMOVED } },
          { $project: { _id: 0, createdAt: 1, status: 1, score: 1, saleStatus: 1, product: 1 } },
          {
            $facet: {
              days: sumsByDay(days),
              saleStatuses: [SCORED, ...countsOf('saleStatus')],
              products: mostOf('product', MAX_PRODUCTS),
            },
          },
        ],
        { hint: INDEX.ofAccount, ...MAJORITY },
      )
      .next(),
    calls
      .find(
        { accountId, status: 'completed', createdAt: range, score: { $ne: null } },
        {
          projection: { corrections: 1, 'analysis.objections.text': 1, 'analysis.managerMistakes.text': 1 },
          hint: INDEX.byStatus,
          sort: { createdAt: -1, _id: -1 },
          limit: MAX_EXAMINED_CALLS,
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
    remarks: remarks.flatMap(({ analysis, corrections = [] }) =>
      analysis === undefined ? [] : [{ ...remarksOf(analysis), corrections }],
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
  // Without boundaries there is nothing to count.
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

/** A day that the calendar of the time zone skipped begins when the next one does. */
function isEmpty({ start, end }: Day): boolean {
  return start.getTime() === end.getTime();
}

/** What the trackers of accounts find in their calls. */
export const trackerQueries = {
  async countTrackerResults({ calls }, accountId, { from, to }) {
    const range = { accountId, status: 'completed', createdAt: { $gte: from, $lt: to } };
    const counting = [{ $match: range }, { $group: { _id: '$trackerResults', calls: { $sum: 1 } } }];
    const found = await calls
      .aggregate<{ _id: string | null; calls: number }>(counting, { hint: INDEX.byTrackerResults, ...MAJORITY })
      .toArray();
    return found.map(({ _id, calls: number }) => ({ results: _id, calls: number }));
  },

  async callsToTrack({ calls, versions }, accountId, current, before, limit) {
    const older = before === null ? {} : { createdAt: { $lte: before.createdAt } };
    const found = await calls
      .find(
        {
          accountId,
          status: 'completed',
          ...older,
          trackerResults: { $not: { $regex: `^${current}` } },
          ...(before === null ? {} : { $or: [{ createdAt: { $lt: before.createdAt } }, { _id: { $lt: before.id } }] }),
        },
        {
          projection: {
            schemaVersion: 1,
            version: 1,
            createdAt: 1,
            'analysis.rolesConfidence': 1,
            'analysis.lines.role': 1,
            'analysis.lines.speaker': 1,
            'analysis.lines.text': 1,
          },
          hint: INDEX.byTrackerResults,
          sort: { createdAt: -1, _id: -1 },
          limit,
          ...MAJORITY,
        },
      )
      .toArray();
    return found.flatMap((document) => {
      const { _id, version, createdAt, analysis } = versions.read(document);
      return analysis === undefined ? [] : [{ id: _id, version, createdAt, analysis }];
    });
  },

  async saveTrackerResults({ calls }, found) {
    if (found.length === 0) return;
    const operations = found.map(({ id, version, results }) => ({
      updateOne: { filter: { _id: id, version }, update: { $set: { trackerResults: results } } },
    }));
    await calls.bulkWrite(operations, { ordered: false, writeConcern: DURABLE });
  },
} satisfies Queries;

/** What calls have cost, in their documents, and what accounts have spent on each day. */
export const spendingQueries = {
  async costs({ calls }, callId) {
    const found = await calls.findOne({ _id: callId }, { projection: { costs: 1 } });
    const costs = Object.entries(found?.costs ?? {}).map(([attempt, cost]) => ({ attempt: Number(attempt), ...cost }));
    return costs.sort((a, b) => a.attempt - b.attempt);
  },

  async recordCost({ calls, spending, transaction }, callId, cost) {
    const { attempt, dollars, at, ...of } = cost;
    const path = `costs.${attempt}`;
    const raised = { $max: { [`${path}.dollars`]: dollars, [`${path}.at`]: at } };
    const named = { [`${path}.stage`]: of.stage, [`${path}.engine`]: of.engine };
    const day = dayOf(at);
    await transaction(async (session) => {
      const projection = { accountId: 1, 'audio.seconds': 1, paidSeconds: 1, [`${path}.dollars`]: 1 };
      const found = await calls.findOne({ _id: callId }, { projection, session });
      if (found === null) return;
      const { accountId, paidSeconds = null, costs, audio } = found;
      const known = { seconds: audio.seconds, paidSeconds, dollars: costs?.[attempt]?.dollars };
      const added = addedBy(cost, known);
      if (added === null) return;
      const write = { ...raised, $set: { ...named, paidSeconds: audio.seconds } };
      await calls.updateOne({ _id: callId }, write, { session });
      const sum = { $inc: { ...added }, $max: { at }, $setOnInsert: { accountId } };
      await spending.updateOne({ _id: `${day} ${accountId}` }, sum, { session, upsert: true });
    });
  },

  async spendingByDay({ spending }, accountId, from, to) {
    const of = { accountId, _id: { $gte: `${from} `, $lt: `${to}!` } };
    // A few hundred for a year, so that sorting them here needs no other index.
    const days = await spending.find(of, { hint: INDEX.spendingOfAccount }).toArray();
    days.sort((a, b) => (a._id < b._id ? -1 : 1));
    return days.map(({ _id, accountId: _account, at: _at, ...sums }) => ({
      ...sumOf([sums]),
      day: _id.slice(0, _id.indexOf(' ')),
    }));
  },

  async spending({ spending, accountSettings }, day, accountId) {
    // '!' comes after the space that ends the day.
    const _id = accountId === undefined ? { $gte: `${day} `, $lt: `${day}!` } : `${day} ${accountId}`;
    const spent = await spending.find({ _id }).toArray();
    if (spent.length === 0) return [];
    const settings = await accountSettings
      .find({ _id: { $in: spent.map((each) => each.accountId) } }, { projection: { spendingLimit: 1 } })
      .toArray();
    const limits = new Map(settings.map((each) => [each._id, each.spendingLimit]));
    return spent.map(({ accountId: account, dollars, unpricedTranscription = 0, unpricedAnalysis = 0, at }) => {
      const own = limits.get(account);
      const unpriced = unpricedTranscription + unpricedAnalysis;
      return { accountId: account, dollars, unpriced, at, ...(own === undefined ? {} : { ownLimit: own.value }) };
    });
  },
} satisfies Queries;
