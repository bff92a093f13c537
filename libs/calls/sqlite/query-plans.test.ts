import { describe, expect, it } from '@jest/globals';
import { openDatabase } from './database.ts';
import { DISPATCH_QUERIES } from './dispatch.ts';
import { STATEMENTS } from './records.ts';
import {
  SEARCH_PAGES,
  SEARCH_PAGES_OF_STATUS,
  SEARCH_PAGES_OF_WORDS,
  SEARCH_TOTALS,
  SEARCHED_DOCUMENTS,
  WORD_STATEMENTS,
} from './search.ts';
import { OVERVIEW_STATEMENTS, SPENDING_STATEMENTS, TRACKER_STATEMENTS } from './totals.ts';

const db = openDatabase(':memory:', 0);
const plan = (sql: string) =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));

/** What would cost more the more calls there are: reading a table or an index from end to end, or sorting. */
const grows = (detail: string) =>
  /^SCAN (calls?|segments|transcripts|analyses|call_counts|costs|spending)\b/.test(detail) ||
  detail.includes('TEMP B-TREE');

const { countTrackerResults: COUNT, ...TRACKERS } = TRACKER_STATEMENTS;

describe('no statement reads all calls or sorts them', () => {
  const all = { ...STATEMENTS, ...DISPATCH_QUERIES, ...WORD_STATEMENTS, ...TRACKERS, ...SPENDING_STATEMENTS };
  it.each(Object.entries({ ...all, SEARCHED_DOCUMENTS }))('%s', (_, sql) => {
    expect(plan(sql).filter(grows)).toEqual([]);
  });

  it('and a statement that did would be seen', () => {
    expect(plan('SELECT * FROM calls').filter(grows)).toHaveLength(1);
    expect(plan('SELECT count(*) FROM calls AS call').filter(grows)).toHaveLength(1);
    expect(
      plan("SELECT * FROM calls WHERE account_id = 'a' AND removed_at IS NULL ORDER BY file_name").filter(grows),
    ).toHaveLength(1);
  });
});

describe('what the pages ask reads the entries of the account, within the dates', () => {
  it.each(Object.entries({ ...SEARCH_PAGES, any: SEARCH_TOTALS.any, ...OVERVIEW_STATEMENTS }))('%s', (name, sql) => {
    const index =
      name === 'remarks' ? 'calls_by_status (account_id=? AND status=? AND' : 'calls_by_date (account_id=? AND';
    const details = plan(sql);
    expect(details.filter((detail) => / calls /.test(detail))).toEqual([
      expect.stringContaining(`${index} created_at>? AND created_at<?)`),
    ]);
    expect(details.filter((detail) => detail.startsWith('SCAN'))).toEqual([]);
  });

  it.each(Object.entries({ ...SEARCH_PAGES_OF_STATUS, ofStatus: SEARCH_TOTALS.ofStatus }))(
    'of one status: %s',
    (_, sql) => {
      const index = 'calls_by_status (account_id=? AND status=? AND created_at>? AND created_at<?)';
      expect(plan(sql).filter((detail) => / calls /.test(detail))).toEqual([expect.stringContaining(index)]);
    },
  );

  it.each(Object.entries({ ...SEARCH_PAGES_OF_WORDS, ofWords: SEARCH_TOTALS.ofWords }))('with words: %s', (_, sql) => {
    const [words, rows, ...rest] = plan(sql);
    expect(words).toMatch(/^SCAN call_words VIRTUAL TABLE INDEX 0:M1$/);
    expect(rows).toBe('SEARCH calls USING INTEGER PRIMARY KEY (rowid=?)');
    expect(rest.filter((detail) => !detail.startsWith('USE TEMP B-TREE FOR'))).toEqual([]);
  });

  it('and sorts only what no index has in its order', () => {
    const sorts = (pages: Record<string, string>) =>
      Object.keys(pages).filter((way) => plan(pages[way] ?? '').some(grows));
    const expected = ['score asc', 'score desc', 'fileName asc', 'fileName desc'];
    expect([sorts(SEARCH_PAGES), sorts(SEARCH_PAGES_OF_STATUS)]).toEqual([expected, expected]);
    expect(plan(OVERVIEW_STATEMENTS.remarks).filter(grows)).toEqual([]);
  });
});

describe('an index leads to', () => {
  it.each([
    ['a page', STATEMENTS.page, 'calls_by_date (account_id=?)'],
    ['a page of one status', STATEMENTS.pageOfStatus, 'calls_by_status (account_id=? AND status=?)'],
    ['the next account with ready calls', DISPATCH_QUERIES.firstReady, 'calls_ready (stage=? AND account_id>?)'],
    ['its ready calls', DISPATCH_QUERIES.firstReady, 'calls_ready (stage=? AND account_id=?)'],
    [
      'calls whose delay is over',
      DISPATCH_QUERIES.endedDelays,
      'calls_by_next_attempt (next_attempt_at>? AND next_attempt_at<?)',
    ],
    ['calls whose grant is over', DISPATCH_QUERIES.endedGrants, 'calls_granted (stage=?)'],
    ['the next wake', DISPATCH_QUERIES.nextWake, 'calls_by_next_attempt (next_attempt_at>?)'],
    ['removed calls that are due', DISPATCH_QUERIES.removalsDue, 'calls_removed (removed_until<?)'],
    ['calls that ended long ago', STATEMENTS.finishedBefore, 'sqlite_autoindex_calls_1 (id<?)'],
    ['the events of a call', STATEMENTS.purgeEvents, 'sqlite_autoindex_outbox_1 (id>? AND id<?)'],
    ['removed accounts', STATEMENTS.removedAccounts, 'removed_accounts_to_empty'],
    [
      'calls that ended lately',
      DISPATCH_QUERIES.finishedSince,
      'USING COVERING INDEX calls_finished (account_id=? AND updated_at>?)',
    ],
    [
      'counts of tracker results',
      COUNT,
      'calls_by_status (account_id=? AND status=? AND created_at>? AND created_at<?)',
    ],
    ['audio that is due', DISPATCH_QUERIES.audioDue, 'calls_audio_due (audio_delete_after<?)'],
  ])('%s', (_, sql, index) => {
    expect(plan(sql).filter((detail) => detail.endsWith(index))).not.toEqual([]);
  });
});

describe('the dispatcher reads indexes that hold unfinished calls alone', () => {
  const partial = new Set([
    'calls_leased',
    'calls_granted',
    'calls_delayed',
    'calls_ready',
    'calls_by_next_attempt',
    'calls_audio_due',
    'calls_removed',
    'calls_waiting',
  ]);
  const { finishedSince, ...queries } = DISPATCH_QUERIES;
  it.each(Object.entries(queries))('%s', (_, sql) => {
    const used = plan(sql).flatMap((detail) => /USING (?:COVERING )?INDEX (\w+)/.exec(detail)?.[1] ?? []);
    expect(used.filter((index) => !partial.has(index))).toEqual([]);
  });
});
