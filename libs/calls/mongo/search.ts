import type { CallSearch, CallSort } from '@call-analytics/contracts';
import { isUnfiltered } from '../search.ts';
import type { FoundSummary } from '../store.ts';
import type { Database } from './database.ts';
import { type CallDocument, SUMMARY_FIELDS, toSummary } from './documents.ts';
import { BY_STATUS, OF_ACCOUNT, SHOWN } from './listing.ts';
import type { SchemaVersions } from './schema-versions.ts';

type Calls = Database['calls'];
type Id = Pick<CallDocument, '_id'>;

// First the ids, from the entries of an index that are the account's, and then the documents of one page.

/** What is asked for is on a majority, as what the list shows. */
const MAJORITY = { readConcern: { level: 'majority' } } as const;

/** What the index holds of a call, with what it is ordered by. Only of these fields the server makes the answer without a look at the documents. */
const ENTRY = {
  createdAt: 1,
  score: 1,
  hasNoScore: { $eq: ['$score', null] },
  name: { $toLower: '$fileName' },
  // Made of both, so that looking for a part comes after this: asked of a field, it would be done first, and the documents be read for it.
  text: { $concat: ['$fileName', '\n', { $ifNull: ['$product', ''] }] },
} as const;

/** @param total of the account's calls, or of those in the status: for a query that has no other filter */
export async function search(
  { calls }: Database,
  versions: SchemaVersions,
  accountId: string,
  query: CallSearch,
  total: () => Promise<number>,
): Promise<{ calls: FoundSummary[]; total: number }> {
  const [ids, matching] = await Promise.all([
    isUnfiltered(query) && query.sort === 'createdAt' ? idsByDate(calls, accountId, query) : idsOf(calls, accountId, query),
    isUnfiltered(query) ? total() : countOf(calls, accountId, query),
  ]);
  return { calls: await found(calls, versions, ids), total: matching };
}

/** As the list: an index is in this order, and is read as far as the page needs. */
function idsByDate(calls: Calls, accountId: string, query: CallSearch): Promise<Id[]> {
  const { status, offset, limit } = query;
  const hint = status === undefined ? OF_ACCOUNT : BY_STATUS;
  const page = { projection: { _id: 1 }, hint, sort: orderOf(query), skip: offset, limit, ...MAJORITY };
  return calls.find({ accountId, status: status ?? SHOWN }, page).toArray();
}

function idsOf(calls: Calls, accountId: string, query: CallSearch): Promise<Id[]> {
  const { offset, limit } = query;
  const page = [{ $sort: orderOf(query) }, { $skip: offset }, { $limit: limit }, { $project: { _id: 1 } }];
  return calls.aggregate<Id>([...entriesOf(accountId, query), ...page], { hint: OF_ACCOUNT, ...MAJORITY }).toArray();
}

async function countOf(calls: Calls, accountId: string, query: CallSearch): Promise<number> {
  const counting = [...entriesOf(accountId, query), { $count: 'calls' }];
  const [row] = await calls.aggregate<{ calls: number }>(counting, { hint: OF_ACCOUNT, ...MAJORITY }).toArray();
  return row?.calls ?? 0;
}

/** The entries of the account that match. */
function entriesOf(accountId: string, query: CallSearch): object[] {
  const { status = SHOWN, text = '' } = query;
  return [
    { $match: { accountId, status, ...filtersOf(query) } },
    { $project: ENTRY },
    ...(text === '' ? [] : [{ $match: { text: { $regex: escaped(text), $options: 'i' } } }]),
  ];
}

async function found(calls: Calls, versions: SchemaVersions, ids: Id[]): Promise<FoundSummary[]> {
  if (ids.length === 0) return [];
  const documents = await calls
    .find({ _id: { $in: ids.map(({ _id }) => _id) } }, { projection: { ...SUMMARY_FIELDS, removal: 1, failure: 1 }, ...MAJORITY })
    .toArray();
  const byId = new Map(documents.map((document) => [document._id, versions.read(document)]));
  return ids.flatMap(({ _id }) => {
    const document = byId.get(_id);
    // Removed between the two questions.
    if (document === undefined || document.status === null) return [];
    return [{ ...toSummary(document), failure: document.failure }];
  });
}

function filtersOf({ saleStatus, reportType, product, from, to }: CallSearch): Record<string, unknown> {
  const createdAt = { ...(from === undefined ? {} : { $gte: new Date(from) }), ...(to === undefined ? {} : { $lt: new Date(to) }) };
  return {
    ...(from === undefined && to === undefined ? {} : { createdAt }),
    ...(saleStatus === undefined ? {} : { saleStatus }),
    ...(reportType === undefined ? {} : { reportType }),
    ...(product === undefined ? {} : { product }),
  };
}

/** For a pattern that is this text. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function orderOf({ sort, order }: CallSearch): Record<string, 1 | -1> {
  const direction = order === 'asc' ? 1 : -1;
  const orders: Record<CallSort, Record<string, 1 | -1>> = {
    createdAt: { createdAt: direction, _id: direction },
    score: { hasNoScore: 1, score: direction, createdAt: -1, _id: -1 },
    fileName: { name: direction, createdAt: -1, _id: -1 },
  };
  return orders[sort];
}
