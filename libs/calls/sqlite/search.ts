import type { SQLInputValue } from 'node:sqlite';
import { CALL_SORTS, type CallSearch, type CallSort, SORT_ORDERS, type SortOrder } from '@call-analytics/contracts';
import { isUnfiltered } from '../search.ts';
import type { FoundSummary } from '../store.ts';
import type { Database, Row, Statement } from './database.ts';
import { SUMMARY_COLUMNS, toSummary } from './rows.ts';

// Each statement reads the account's part of an index, within the dates, and the rows that it leads to. Filters that are not asked for are null. `+ 0`: see
// dispatch-queries.ts.

const OF_ACCOUNT = 'account_id = $accountId AND removed_at IS NULL AND created_at >= $from AND created_at < $to';
const ASKED = `($saleStatus IS NULL OR sale_status = $saleStatus) AND ($reportType IS NULL OR report_type = $reportType)
  AND ($product IS NULL OR product = $product) AND ($text IS NULL OR holds(file_name, $text) OR holds(product, $text))`;
const ANY_STATUS = `calls INDEXED BY calls_by_date WHERE ${OF_ACCOUNT} AND ${ASKED}`;
// Left to itself, SQLite takes the other index, thinking that few calls lie within the dates.
const ONE_STATUS = `calls INDEXED BY calls_by_status WHERE ${OF_ACCOUNT} AND status = $status AND ${ASKED}`;

const ORDERS: Record<CallSort, (order: SortOrder) => string> = {
  createdAt: (order) => `created_at ${order}, id ${order}`,
  score: (order) => `score IS NULL, score ${order}, created_at DESC, id DESC`,
  fileName: (order) => `lower(file_name) ${order}, created_at DESC, id DESC`,
};

type Way = `${CallSort} ${SortOrder}`;
const ways = <T>(each: (sort: CallSort, order: SortOrder) => T) =>
  Object.fromEntries(CALL_SORTS.flatMap((sort) => SORT_ORDERS.map((order) => [`${sort} ${order}`, each(sort, order)]))) as Record<Way, T>;
const pages = (from: string) =>
  ways(
    (sort, order) => `SELECT ${SUMMARY_COLUMNS}, failure FROM ${from} ORDER BY ${ORDERS[sort](order)} LIMIT $limit + 0 OFFSET $offset + 0`,
  );

export const SEARCH_PAGES = pages(ANY_STATUS);
export const SEARCH_PAGES_OF_STATUS = pages(ONE_STATUS);
export const SEARCH_TOTALS = {
  any: `SELECT count(*) FROM ${ANY_STATUS}`,
  ofStatus: `SELECT count(*) FROM ${ONE_STATUS}`,
} as const;
const AFTER_SUMMARY = SUMMARY_COLUMNS.split(',').length;

/** Earlier and later than any time that can be told. */
const EVER = { from: -8.64e15, to: 8.64e15 + 1 };

export class CallSearcher {
  readonly #pages: Record<Way, Statement>;
  readonly #pagesOfStatus: Record<Way, Statement>;
  readonly #totals: Record<keyof typeof SEARCH_TOTALS, Statement>;

  constructor(db: Database) {
    this.#pages = db.prepareAll(SEARCH_PAGES);
    this.#pagesOfStatus = db.prepareAll(SEARCH_PAGES_OF_STATUS);
    this.#totals = db.prepareAll(SEARCH_TOTALS);
  }

  /** @param knownTotal gives it when it need not be counted here */
  search(accountId: string, query: CallSearch, knownTotal: () => number): { calls: FoundSummary[]; total: number } {
    const { status, limit, offset, sort, order } = query;
    const asked: Record<string, SQLInputValue> = {
      $accountId: accountId,
      $from: query.from === undefined ? EVER.from : Date.parse(query.from),
      $to: query.to === undefined ? EVER.to : Date.parse(query.to),
      $saleStatus: query.saleStatus ?? null,
      $reportType: query.reportType ?? null,
      $product: query.product ?? null,
      $text: query.text === undefined || query.text === '' ? null : query.text.toLowerCase(),
      ...(status === undefined ? {} : { $status: status }),
    };
    const way: Way = `${sort} ${order}`;
    const rows = (status === undefined ? this.#pages : this.#pagesOfStatus)[way].all({ ...asked, $limit: limit, $offset: offset });
    const total = status === undefined ? this.#totals.any : this.#totals.ofStatus;
    return { calls: rows.map(toFound), total: isUnfiltered(query) ? knownTotal() : Number(total.get(asked)?.[0]) };
  }
}

function toFound(row: Row): FoundSummary {
  const failure = row[AFTER_SUMMARY];
  return { ...toSummary(row), failure: typeof failure === 'string' ? JSON.parse(failure) : null };
}
