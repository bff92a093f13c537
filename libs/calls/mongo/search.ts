import type { CallSort } from '@call-analytics/contracts';
import { isUnfiltered, matchIn, queryWords, searchedTexts, wordsToShow } from '../search.ts';
import type { CallQuery, CallSummary, FoundSummary, ListQuery, Match, ResultPattern } from '../store.ts';
import { type Database, MAJORITY } from './database.ts';
import { SEARCHED_FIELDS, toSummary } from './documents.ts';
import type { SchemaVersions } from './migrations.ts';
import type { QueryContext } from './queries.ts';
import { type CallDocument, INDEX, NOT_REMOVED, NOT_SET, SUMMARY_FIELDS } from './schema.ts';

/** A page of an account's calls, newest first. */
export async function list(
  { calls, versions, totals }: QueryContext,
  accountId: string,
  { limit, offset, status }: ListQuery,
): Promise<{ calls: CallSummary[]; total: number }> {
  const hint = status === undefined ? INDEX.ofAccount : INDEX.byStatus;
  const options = { projection: SUMMARY_FIELDS, hint, skip: offset, limit, ...MAJORITY };
  const [found, total] = await Promise.all([
    calls
      .find({ accountId, status: status ?? NOT_REMOVED }, { ...options, sort: { createdAt: -1, _id: -1 } })
      .toArray(),
    totals.total(accountId, status),
  ]);
  return { calls: found.map((document) => toSummary(versions.read(document))), total };
}

type Calls = Database['calls'];
type Id = Pick<CallDocument, '_id'>;

// A search first finds the ids in the account's entries of an index, then reads the documents of one page.

/** What a page is ordered by. Without words the server takes these fields from the index and reads no document. */
const ENTRY = {
  createdAt: 1,
  score: 1,
  hasNoScore: { $eq: ['$score', null] },
  name: { $toLower: '$fileName' },
} as const;

export async function search(
  { calls, versions, totals }: QueryContext,
  accountId: string,
  query: CallQuery,
): Promise<{ calls: FoundSummary[]; total: number }> {
  const { text = '' } = query;
  const words = queryWords(text);
  if (words.length > 0) return withWords(calls, versions, accountId, query, words);
  if (text !== '') return { calls: [], total: 0 };
  const [ids, matching] = await Promise.all([
    isUnfiltered(query) && query.sort === 'createdAt'
      ? idsByDate(calls, accountId, query)
      : idsOf(calls, accountId, query),
    isUnfiltered(query) ? totals.total(accountId, query.status) : countOf(calls, accountId, query),
  ]);
  return { calls: (await found(calls, versions, ids)).map((call) => ({ ...call, match: null })), total: matching };
}

/** One query for page and total: both need each document that the word index leads to. */
async function withWords(calls: Calls, versions: SchemaVersions, accountId: string, query: CallQuery, words: string[]) {
  const { status = NOT_REMOVED, offset, limit } = query;
  const [rarest, ...others] = await rarestFirst(calls, accountId, words);
  // The double negation keeps the server from using the index for the other words instead of the rarest one.
  const has = { words: beginning(rarest ?? ''), $nor: others.map((word) => ({ words: { $not: beginning(word) } })) };
  const [result] = await calls
    .aggregate<{ page: Id[]; total: { calls: number }[] }>(
      [
        { $match: { accountId, status, ...filtersOf(query), ...(others.length > 0 ? has : { words: has.words }) } },
        { $project: ENTRY },
        { $sort: orderOf(query) },
        {
          $facet: {
            page: [{ $skip: offset }, { $limit: limit }, { $project: { _id: 1 } }],
            total: [{ $count: 'calls' }],
          },
        },
      ],
      { hint: INDEX.byWords, ...MAJORITY },
    )
    .toArray();
  const page = await found(calls, versions, result?.page ?? []);
  const matches = await matchesIn(calls, page, words);
  return {
    calls: page.map((call) => ({ ...call, match: matches.get(call.id) ?? null })),
    total: result?.total[0]?.calls ?? 0,
  };
}

/** How many words are counted to find the rarest, and how many index entries of each. */
const COUNTED = { words: 8, entries: 1_000 };

/** @param words the longest first: among words that many calls have, the longest counts as the rarest */
async function rarestFirst(calls: Calls, accountId: string, words: string[]): Promise<string[]> {
  if (words.length === 1) return words;
  const counted = await Promise.all(
    words.slice(0, COUNTED.words).map(async (word) => {
      const counting = [
        { $match: { accountId, words: beginning(word) } },
        { $limit: COUNTED.entries },
        { $count: 'calls' },
      ];
      const [row] = await calls.aggregate<{ calls: number }>(counting, { hint: INDEX.byWords, ...MAJORITY }).toArray();
      return { word, calls: row?.calls ?? 0 };
    }),
  );
  const ordered = counted.sort((a, b) => a.calls - b.calls).map(({ word }) => word);
  return [...ordered, ...words.slice(COUNTED.words)];
}

/** A word is letters and digits alone. */
function beginning(word: string): { $regex: string } {
  return { $regex: `^${word}` };
}

/** By call: where the words stand that are neither in its file name nor in its product. */
async function matchesIn(calls: Calls, page: CallSummary[], words: string[]): Promise<Map<string, Match | null>> {
  const wanted = new Map(
    page.map((call) => [call.id, wordsToShow(words, call)] as const).filter(([, each]) => each.length > 0),
  );
  if (wanted.size === 0) return new Map();
  const matches = new Map<string, Match | null>();
  const documents = calls.find({ _id: { $in: [...wanted.keys()] } }, { projection: SEARCHED_FIELDS, ...MAJORITY });
  for await (const { _id, transcript, analysis } of documents) {
    const [_fileName, ...texts] = searchedTexts('', { transcript: transcript ?? null, analysis: analysis ?? null });
    matches.set(_id, matchIn(texts, wanted.get(_id) ?? []));
  }
  return matches;
}

/** As `page`: an index is in this order and is read as far as the page needs. */
function idsByDate(calls: Calls, accountId: string, query: CallQuery): Promise<Id[]> {
  const { status, offset, limit } = query;
  const hint = status === undefined ? INDEX.ofAccount : INDEX.byStatus;
  const page = { projection: { _id: 1 }, hint, sort: orderOf(query), skip: offset, limit, ...MAJORITY };
  return calls.find({ accountId, status: status ?? NOT_REMOVED }, page).toArray();
}

function idsOf(calls: Calls, accountId: string, query: CallQuery): Promise<Id[]> {
  const { offset, limit } = query;
  const page = [{ $sort: orderOf(query) }, { $skip: offset }, { $limit: limit }, { $project: { _id: 1 } }];
  return calls.aggregate<Id>([...entriesOf(accountId, query), ...page], { hint: hintOf(query), ...MAJORITY }).toArray();
}

async function countOf(calls: Calls, accountId: string, query: CallQuery): Promise<number> {
  const counting = [...entriesOf(accountId, query), { $count: 'calls' }];
  const [row] = await calls.aggregate<{ calls: number }>(counting, { hint: hintOf(query), ...MAJORITY }).toArray();
  return row?.calls ?? 0;
}

/** The entries of the account that match. */
function entriesOf(accountId: string, query: CallQuery): object[] {
  return [{ $match: { accountId, status: query.status ?? NOT_REMOVED, ...filtersOf(query) } }, { $project: ENTRY }];
}

/** An index that leads to no other documents than those with the tracker results. */
function hintOf({ resultPattern }: CallQuery): string {
  return resultPattern === undefined ? INDEX.ofAccount : INDEX.byTrackerResults;
}

async function found(calls: Calls, versions: SchemaVersions, ids: Id[]): Promise<Omit<FoundSummary, 'match'>[]> {
  if (ids.length === 0) return [];
  const documents = await calls
    .find(
      { _id: { $in: ids.map(({ _id }) => _id) } },
      { projection: { ...SUMMARY_FIELDS, removal: 1, failure: 1, waiting: 1, stage: 1, leaseUntil: 1 }, ...MAJORITY },
    )
    .toArray();
  const byId = new Map(documents.map((document) => [document._id, versions.read(document)]));
  return ids.flatMap(({ _id }) => {
    const document = byId.get(_id);
    // Removed between the two queries.
    if (document === undefined || document.status === null) return [];
    const { failure, waiting = null, stage, leaseUntil } = document;
    return [{ ...toSummary(document), failure, waiting, isPending: stage !== null && leaseUntil === NOT_SET }];
  });
}

function filtersOf({ saleStatus, reportType, product, from, to, resultPattern }: CallQuery): Record<string, unknown> {
  const createdAt = {
    ...(from === undefined ? {} : { $gte: new Date(from) }),
    ...(to === undefined ? {} : { $lt: new Date(to) }),
  };
  return {
    ...(from === undefined && to === undefined ? {} : { createdAt }),
    ...(saleStatus === undefined ? {} : { saleStatus }),
    ...(reportType === undefined ? {} : { reportType }),
    ...(product === undefined ? {} : { product }),
    ...(resultPattern === undefined ? {} : { trackerResults: { $regex: regexOf(resultPattern) } }),
  };
}

function regexOf({ prefix, at, letter }: ResultPattern): string {
  return `^${prefix}.{${at}}${letter}`;
}

function orderOf({ sort, order }: CallQuery): Record<string, 1 | -1> {
  const direction = order === 'asc' ? 1 : -1;
  const orders: Record<CallSort, Record<string, 1 | -1>> = {
    createdAt: { createdAt: direction, _id: direction },
    score: { hasNoScore: 1, score: direction, createdAt: -1, _id: -1 },
    fileName: { name: direction, createdAt: -1, _id: -1 },
  };
  return orders[sort];
}
