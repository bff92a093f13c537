import { hash } from 'node:crypto';
import type { SQLInputValue } from 'node:sqlite';
import { CALL_SORTS, type CallSort, SORT_ORDERS, type SortOrder } from '@call-analytics/contracts';
import type { Analysis } from '../analysis.ts';
import { indexedWords, isUnfiltered, matchIn, queryWords, searchedTexts, wordsToShow } from '../search.ts';
import {
  type CallQuery,
  callsToMigrate,
  type FoundSummary,
  type Match,
  type MigrationState,
  type ResultPattern,
} from '../store.ts';
import type { Transcript } from '../transcript.ts';
import type { Database, Row, Statement } from './database.ts';
import { parsedOrNull, SUMMARY_COLUMN_COUNT, SUMMARY_COLUMNS, toSummary, toWaiting } from './rows.ts';

// Without words, a statement reads the account's entries of an index within the dates, and their rows; with words, the
// rows that the word index leads to. Unset filters are null; for `+ 0` see dispatch.ts.

const OF_ACCOUNT = 'account_id = $accountId AND removed_at IS NULL AND created_at >= $from AND created_at < $to';
const FILTERS = `($saleStatus IS NULL OR sale_status = $saleStatus)
    AND ($reportType IS NULL OR report_type = $reportType)
  AND ($product IS NULL OR product = $product) AND ($results IS NULL OR tracker_results LIKE $results)`;
const ANY_STATUS = `calls INDEXED BY calls_by_date WHERE ${OF_ACCOUNT} AND ${FILTERS}`;
// Left to itself, SQLite takes the other index, because it expects few calls within the dates.
const ONE_STATUS = `calls INDEXED BY calls_by_status WHERE ${OF_ACCOUNT} AND status = $status AND ${FILTERS}`;
// CROSS JOIN keeps the order of the loops: first the word index, then the rows.
const WITH_WORDS = `call_words CROSS JOIN calls ON calls.seq = call_words.rowid
  WHERE call_words MATCH $words AND ${OF_ACCOUNT} AND ($status IS NULL OR status = $status) AND ${FILTERS}`;

const ORDERS: Record<CallSort, (order: SortOrder) => string> = {
  createdAt: (order) => `created_at ${order}, id ${order}`,
  score: (order) => `score IS NULL, score ${order}, created_at DESC, id DESC`,
  fileName: (order) => `lower(file_name) ${order}, created_at DESC, id DESC`,
};

type Way = `${CallSort} ${SortOrder}`;
const ways = <T>(each: (sort: CallSort, order: SortOrder) => T) =>
  Object.fromEntries(
    CALL_SORTS.flatMap((sort) => SORT_ORDERS.map((order) => [`${sort} ${order}`, each(sort, order)])),
  ) as Record<Way, T>;
const pages = (from: string) =>
  ways(
    (sort, order) =>
      `SELECT ${SUMMARY_COLUMNS}, failure, waiting_for, waiting_since, stage IS NOT NULL AND lease_until IS NULL
       FROM ${from} ORDER BY ${ORDERS[sort](order)} LIMIT $limit + 0 OFFSET $offset + 0`,
  );

export const SEARCH_PAGES = pages(ANY_STATUS);
export const SEARCH_PAGES_OF_STATUS = pages(ONE_STATUS);
export const SEARCH_PAGES_OF_WORDS = pages(WITH_WORDS);
export const SEARCH_TOTALS = {
  any: `SELECT count(*) FROM ${ANY_STATUS}`,
  ofStatus: `SELECT count(*) FROM ${ONE_STATUS}`,
  ofWords: `SELECT count(*) FROM ${WITH_WORDS}`,
} as const;

/** In bytes. Calls with longer documents are shown without a match, so that a page does not block the process. */
const MAX_SHOWN_BYTES = 1_000_000;
/** The documents of found calls, in which the match stands. */
export const SEARCHED_DOCUMENTS = `
  SELECT CASE WHEN octet_length(analyses.body) <= ${MAX_SHOWN_BYTES} THEN analyses.body END,
    CASE WHEN analyses.body IS NULL AND octet_length(transcripts.body) <= ${MAX_SHOWN_BYTES} THEN transcripts.body END
  FROM calls LEFT JOIN analyses ON analyses.call_seq = calls.seq
  LEFT JOIN transcripts ON transcripts.call_seq = calls.seq
  WHERE calls.id = ?`;

/** Earlier and later than any valid time. */
const EVER = { from: -8.64e15, to: 8.64e15 + 1 };

export function searchQuery(db: Database) {
  const pages = {
    any: db.prepareAll(SEARCH_PAGES),
    ofStatus: db.prepareAll(SEARCH_PAGES_OF_STATUS),
    ofWords: db.prepareAll(SEARCH_PAGES_OF_WORDS),
  };
  const totals = db.prepareAll(SEARCH_TOTALS);
  const documents = db.prepare(SEARCHED_DOCUMENTS);

  const match = (call: Pick<FoundSummary, 'id' | 'fileName' | 'product'>, words: readonly string[]): Match | null => {
    const wanted = wordsToShow(words, call);
    if (wanted.length === 0) return null;
    const [_fileName, ...texts] = searchedTexts(call.fileName, contentOf(...(documents.get(call.id) ?? [])));
    return matchIn(texts, wanted);
  };

  /** @param knownTotal gives it when it need not be counted here */
  return (accountId: string, query: CallQuery, knownTotal: () => number) => {
    const { text = '', status, limit, offset, sort, order, resultPattern } = query;
    const words = queryWords(text);
    if (text !== '' && words.length === 0) return { calls: [], total: 0 };
    const kind = words.length > 0 ? 'ofWords' : status === undefined ? 'any' : 'ofStatus';
    const filters: Record<string, SQLInputValue> = {
      $accountId: accountId,
      $from: query.from === undefined ? EVER.from : Date.parse(query.from),
      $to: query.to === undefined ? EVER.to : Date.parse(query.to),
      $saleStatus: query.saleStatus ?? null,
      $reportType: query.reportType ?? null,
      $product: query.product ?? null,
      $results: resultPattern === undefined ? null : likePattern(resultPattern),
      ...(kind === 'any' ? {} : { $status: status ?? null }),
      ...(kind === 'ofWords' ? { $words: matching(accountId, words) } : {}),
    };
    const rows = pages[kind][`${sort} ${order}`].all({ ...filters, $limit: limit, $offset: offset });
    return {
      calls: rows.map(toFound).map((call): FoundSummary => ({ ...call, match: match(call, words) })),
      total: isUnfiltered(query) ? knownTotal() : Number(totals[kind].get(filters)?.[0]),
    };
  };
}

function likePattern({ prefix, at, letter }: ResultPattern): string {
  return `${prefix}${'_'.repeat(at)}${letter}%`;
}

function toFound(row: Row): Omit<FoundSummary, 'match'> {
  const [failure, waitingFor, waitingSince, isPending] = row.slice(SUMMARY_COLUMN_COUNT);
  return {
    ...toSummary(row),
    failure: parsedOrNull(failure),
    waiting: toWaiting(waitingFor, waitingSince),
    isPending: isPending === 1,
  };
}

function contentOf(analysis?: Row[number], transcript?: Row[number]) {
  return { analysis: parsedOrNull<Analysis>(analysis), transcript: parsedOrNull<Transcript>(transcript) };
}

export const WORD_STATEMENTS = {
  save: 'INSERT OR REPLACE INTO call_words (rowid, words) VALUES (?, ?)',
  purge: 'DELETE FROM call_words WHERE rowid = ?',
  older: `
    SELECT calls.seq, account_id, file_name, analyses.body, CASE WHEN analyses.body IS NULL THEN transcripts.body END
    FROM calls
    LEFT JOIN analyses ON analyses.call_seq = calls.seq LEFT JOIN transcripts ON transcripts.call_seq = calls.seq
    WHERE calls.seq <= (SELECT up_to FROM calls_to_index) ORDER BY calls.seq DESC LIMIT ? + 0`,
  indexed: 'UPDATE calls_to_index SET up_to = ?',
  left: 'SELECT count(*) FROM calls WHERE seq <= (SELECT up_to FROM calls_to_index)',
} as const;

interface Content {
  transcript?: Transcript | null;
  analysis?: Analysis | null;
}

/** The index over the words of calls, written in the transactions that write the texts. */
export class CallWords {
  readonly #db: Database;
  readonly #sql: Record<keyof typeof WORD_STATEMENTS, Statement>;

  constructor(db: Database) {
    this.#db = db;
    this.#sql = db.prepareAll(WORD_STATEMENTS);
  }

  /** Within a write: indexes a call and replaces its earlier entry. */
  save(seq: number, accountId: string, fileName: string, content: Content): void {
    const account = prefixOf(accountId);
    const words = indexedWords(searchedTexts(fileName, content)).map((word) => account + word);
    this.#sql.save.run(seq, words.join(' '));
  }

  /** Within a write. */
  purge(seq: number): void {
    this.#sql.purge.run(seq);
  }

  /** Indexes calls that an earlier release has written, the newest first. @returns how many; 0 when none is left */
  indexOlder(limit: number): number {
    return this.#db.write(false, () => {
      const rows = this.#sql.older.all(limit);
      for (const [seq, accountId, fileName, analysis, transcript] of rows) {
        this.save(Number(seq), String(accountId), String(fileName), contentOf(analysis, transcript));
      }
      const last = rows.at(-1)?.[0];
      if (last !== undefined) this.#sql.indexed.run(Number(last) - 1);
      return rows.length;
    });
  }

  /** The tables are not among them: they are migrated when the database is opened. */
  migrations(): MigrationState[] {
    return [callsToMigrate(Number(this.#db.read(() => this.#sql.left.get())?.[0]))];
  }
}

/**
 * What `call_words MATCH` takes: a call of the account that has each of the words, at least as the beginning of one.
 * @param words at least one, of letters and digits alone
 */
function matching(accountId: string, words: readonly string[]): string {
  const account = prefixOf(accountId);
  return words.map((word) => `"${account}${word}"*`).join(' AND ');
}

/** Two accounts may share these eight characters; the rows that the index finds are checked by account. */
function prefixOf(accountId: string): string {
  return hash('sha256', accountId, 'hex').slice(0, 8);
}
