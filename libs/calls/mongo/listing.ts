import type { CallStatus } from '@call-analytics/contracts';
import type { CallSummary, ListQuery } from '../store.ts';
import type { Database, Index } from './database.ts';
import { SUMMARY_FIELDS, toSummary } from './documents.ts';
import type { SchemaVersions } from './schema-versions.ts';

export const OF_ACCOUNT = 'of_account_for_lists_and_sums';
export const BY_STATUS = 'of_account_by_status_and_date';
export const LISTING_INDEXES: readonly Index[] = [
  // A page: the status is there to leave out those that are removed, which have none, without a look at the document. And everything that a search filters and orders by, or that
  // an overview counts, because the documents behind it are large. (`of_account_by_date` was its predecessor: the name is taken.)
  {
    name: OF_ACCOUNT,
    key: {
      accountId: 1,
      createdAt: 1,
      _id: 1,
      status: 1,
      saleStatus: 1,
      reportType: 1,
      score: 1,
      product: 1,
      fileName: 1,
    },
  },
  // a page of one status; the remarks of the latest completed calls
  { name: BY_STATUS, key: { accountId: 1, status: 1, createdAt: 1, _id: 1 } },
];

/** Any status: a removed call has none. */
export const SHOWN = { $gt: '' as CallStatus };

/** A page of an account's calls, newest first. */
export async function page(
  { calls }: Database,
  versions: SchemaVersions,
  accountId: string,
  { limit, offset, status }: ListQuery,
): Promise<CallSummary[]> {
  const found = await calls
    .find(
      { accountId, status: status ?? SHOWN },
      {
        projection: SUMMARY_FIELDS,
        hint: status === undefined ? OF_ACCOUNT : BY_STATUS,
        sort: { createdAt: -1, _id: -1 },
        skip: offset,
        limit,
        readConcern: { level: 'majority' },
      },
    )
    .toArray();
  return found.map((document) => toSummary(versions.read(document)));
}
