import { describe, expect, it } from '@jest/globals';
import { openDatabase } from './database.ts';
import { DISPATCH_QUERIES } from './dispatch-queries.ts';
import { STATEMENTS } from './store.ts';

const db = openDatabase(':memory:', 0);
const plan = (sql: string) =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));

/** What would cost more the more calls there are: reading a table or an index from end to end, or sorting. */
const grows = (detail: string) =>
  /^SCAN (calls?|segments|transcripts|analyses|call_counts)\b/.test(detail) || detail.includes('TEMP B-TREE');

describe('no statement reads all calls or sorts them', () => {
  it.each(Object.entries({ ...STATEMENTS, ...DISPATCH_QUERIES }))('%s', (_, sql) => {
    expect(plan(sql).filter(grows)).toEqual([]);
  });

  it('and a statement that did would be seen', () => {
    expect(plan('SELECT * FROM calls').filter(grows)).toHaveLength(1);
    expect(plan('SELECT count(*) FROM calls AS call').filter(grows)).toHaveLength(1);
    expect(plan("SELECT * FROM calls WHERE account_id = 'a' AND removed_at IS NULL ORDER BY file_name").filter(grows)).toHaveLength(1);
  });
});

describe('an index leads to', () => {
  it.each([
    ['a page', STATEMENTS.page, 'calls_by_date (account_id=?)'],
    ['a page of one status', STATEMENTS.pageOfStatus, 'calls_by_status (account_id=? AND status=?)'],
    ['the next account with ready calls', DISPATCH_QUERIES.firstReady, 'calls_ready (stage=? AND account_id>?)'],
    ['its ready calls', DISPATCH_QUERIES.firstReady, 'calls_ready (stage=? AND account_id=?)'],
    ['the next account with delayed calls', DISPATCH_QUERIES.firstDelayed, 'calls_delayed (stage=? AND account_id>?)'],
    ['its delayed calls', DISPATCH_QUERIES.firstDelayed, 'calls_delayed (stage=? AND account_id=? AND next_attempt_at>?)'],
    ['the next account with granted calls', DISPATCH_QUERIES.firstGranted, 'calls_granted (stage=? AND account_id>?)'],
    ['its granted calls', DISPATCH_QUERIES.firstGranted, 'calls_granted (stage=? AND account_id=? AND granted_until>?)'],
    ['the next wake', DISPATCH_QUERIES.nextWake, 'calls_by_next_attempt (next_attempt_at>?)'],
    ['removed calls that are due', DISPATCH_QUERIES.removalsDue, 'calls_removed (removed_until<?)'],
    ['the events of a call', STATEMENTS.purgeEvents, 'sqlite_autoindex_outbox_1 (id>? AND id<?)'],
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
  ]);
  it.each(Object.entries(DISPATCH_QUERIES))('%s', (_, sql) => {
    const used = plan(sql).flatMap((detail) => /USING (?:COVERING )?INDEX (\w+)/.exec(detail)?.[1] ?? []);
    expect(used.filter((index) => !partial.has(index))).toEqual([]);
  });
});
