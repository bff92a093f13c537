import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CallSearch } from '@call-analytics/contracts';
import { systemClock } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallStore } from '../calls.ts';
import { Calls } from '../calls.ts';
import { analysis, Fixture, transcript } from '../contract/call-store.fixture.ts';
import { Database, openDatabase } from './database.ts';
import { MIGRATIONS } from './schema.ts';
import { openSqliteCallStore, sqliteCallStore } from './store.ts';

const upload = (key: string) =>
  ({
    accountId: 'account_1',
    fileName: 'a.mp3',
    reportType: 'medium',
    audio: { key, bytes: 1, format: 'mp3', seconds: 1 },
  }) as const;

const WITHOUT_LATEST = `
  DROP TABLE drains; DROP TABLE costs; DROP TABLE spending;
  ALTER TABLE calls DROP COLUMN paid_seconds; ALTER TABLE calls DROP COLUMN analysis_engine;
  ALTER TABLE calls DROP COLUMN earlier_analyses; ALTER TABLE calls DROP COLUMN corrections;
  ALTER TABLE calls DROP COLUMN tracker_results; DROP TABLE vocabularies; DROP TABLE account_settings;
  DROP INDEX calls_finished; ALTER TABLE calls DROP COLUMN audio_seconds_done;
  DROP INDEX calls_waiting; ALTER TABLE calls DROP COLUMN waiting_for; ALTER TABLE calls DROP COLUMN waiting_since;
  ALTER TABLE calls DROP COLUMN retries;`;

describe('the call database', () => {
  let dir: string;
  let file: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'calls-'));
    file = join(dir, 'folder', 'calls.sqlite');
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('is made with its folder, at the present version, with a write-ahead log', () => {
    const db = openDatabase(file, 100);
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    db.close();
  });

  it('keeps what it holds when it is opened again', async () => {
    const first = openSqliteCallStore({ file });
    const { call } = await new Calls(first).accept(upload('a'));
    await first.close();
    const second = openSqliteCallStore({ file });
    expect(await second.get(call.id)).toEqual(call);
    expect(await second.outbox(10)).toHaveLength(1);
    await second.close();
  });

  it('written by a newer release is refused, with what to do, and left as it is', () => {
    openDatabase(file, 100).close();
    const newer = new DatabaseSync(file);
    newer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    expect(() => openSqliteCallStore({ file })).toThrow(
      `schema version ${MIGRATIONS.length + 1}, and this release knows versions up to ${MIGRATIONS.length}: ` +
        'it was written by a newer release. Start that release, or restore',
    );
    expect(newer.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length + 1 });
    newer.close();
  });

  it('of the release before anybody could remove a call has all its calls, totals and remarks afterwards', async () => {
    const first = openSqliteCallStore({ file });
    const fixture = new Fixture(first);
    const completed = await fixture.accept('a');
    await fixture.calls.commitTranscript(await fixture.claim(completed.id), transcript);
    await fixture.calls.commitAnalysis(await fixture.claim(completed.id, 'analysis'), {
      ...analysis,
      objections: analysis.managerMistakes,
    });
    await fixture.accept('a');
    const days = { from: '2026-11-21', to: '2026-11-21', timeZone: 'UTC' };
    const shown = async (store: CallStore) => [
      await store.list('a', { limit: 10, offset: 0 }),
      await store.overview('a', days),
    ];
    const before = await shown(first);
    await first.close();
    // As it was then: without what the migrations since have brought.
    const db = new DatabaseSync(file);
    db.exec(`
      DROP TABLE workers; DROP TABLE call_words; DROP TABLE calls_to_index; DROP TABLE removed_accounts;
      DROP TABLE remarks; DROP INDEX calls_by_date; DROP INDEX calls_by_status; DROP INDEX calls_removed;
      DROP TRIGGER calls_count_less; DROP TRIGGER calls_count_more; DROP TRIGGER calls_count_gone;
      CREATE TRIGGER calls_count_moved AFTER UPDATE OF status ON calls BEGIN SELECT 1; END;
      CREATE INDEX calls_by_date ON calls (account_id, created_at, id);
      CREATE INDEX calls_by_status ON calls (account_id, status, created_at, id);
      ${WITHOUT_LATEST}
      ALTER TABLE calls DROP COLUMN removed_final; ALTER TABLE calls DROP COLUMN removed_stage;`);
    db.exec(
      'DROP TRIGGER calls_count_new; ALTER TABLE calls DROP COLUMN removed_until; ' +
        'ALTER TABLE calls DROP COLUMN removed_at;',
    );
    db.exec('CREATE TRIGGER calls_count_new AFTER INSERT ON calls BEGIN SELECT 1; END; PRAGMA user_version = 2');
    db.close();
    const second = openSqliteCallStore({ file });
    expect(await shown(second)).toEqual(before);
    await new Fixture(second).calls.remove('a', completed.id);
    expect((await second.list('a', { limit: 10, offset: 0 })).total).toBe(1);
    await second.close();
  });

  it('of the release before words were searched finds all its calls once they are indexed, some at a time', async () => {
    const first = openSqliteCallStore({ file });
    const fixture = new Fixture(first);
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push((await fixture.accept('a')).id);
    const [queued, transcribed, completed, removed] = ids as [string, string, string, string];
    for (const id of [transcribed, completed, removed])
      await fixture.calls.commitTranscript(await fixture.claim(id), transcript);
    for (const id of [completed, removed])
      await fixture.calls.commitAnalysis(await fixture.claim(id, 'analysis'), analysis);
    await fixture.calls.remove('a', removed);
    await first.close();
    const db = new DatabaseSync(file);
    const beforeWords = MIGRATIONS.findIndex((sql) => sql.includes('call_words'));
    const dropped = 'DROP TABLE workers; DROP TABLE call_words; DROP TABLE calls_to_index;';
    db.exec(`${WITHOUT_LATEST} ${dropped} PRAGMA user_version = ${beforeWords}`);
    db.close();

    const second = openSqliteCallStore({ file });
    const found = async (text: string) =>
      (await second.search('a', CallSearch.parse({ text }))).calls.map(({ id }) => id);
    expect(await found('call')).toEqual([]);
    expect([await second.migrate(3), await found('call')]).toEqual([3, [completed, transcribed]]);
    await second.close();
    const third = openSqliteCallStore({ file });
    const later = new Fixture(third).accept('a');
    expect([await third.migrate(3), await third.migrate(3)]).toEqual([1, 0]);
    const all = async (text: string) => (await third.search('a', CallSearch.parse({ text }))).calls.map(({ id }) => id);
    expect((await all('call')).sort()).toEqual([completed, queued, transcribed, (await later).id].sort());
    expect((await all('guten jorg')).sort()).toEqual([completed, transcribed].sort());
    await new Fixture(third).calls.restore('a', removed);
    expect(await all('dachziegel')).toHaveLength(2);
    await third.close();
  });

  it('that is something else is refused and left as it is', async () => {
    const text = 'These are my notes, and no database at all. '.repeat(100);
    await writeFile(join(dir, 'notes.txt'), text);
    expect(() => openSqliteCallStore({ file: join(dir, 'notes.txt') })).toThrow('file is not a database');
    expect(await readFile(join(dir, 'notes.txt'), 'utf8')).toBe(text);
    expect(() => openSqliteCallStore({ file: dir })).toThrow('The call store does not answer.');
  });

  describe('while another process writes', () => {
    it('a write fails as passing when it waited in vain, reads go on, and afterwards all is well', async () => {
      const store = openSqliteCallStore({ file, busyTimeoutMs: 20 });
      const calls = new Calls(store);
      const { call } = await calls.accept(upload('a'));
      const other = new DatabaseSync(file);
      other.exec('BEGIN IMMEDIATE');
      await expect(calls.accept(upload('b'))).rejects.toMatchObject({
        failure: { kind: 'transient', code: 'store_unavailable' },
      });
      await expect(calls.grant(call.id)).rejects.toMatchObject({
        failure: { kind: 'transient', code: 'store_unavailable' },
      });
      expect(await store.get(call.id)).toEqual(call);
      expect(await store.ready()).toBeNull();
      other.exec('ROLLBACK');
      other.close();
      expect(await calls.grant(call.id)).not.toBeNull();
      await calls.accept(upload('b'));
      expect((await store.list('account_1', { limit: 10, offset: 0 })).total).toBe(2);
      await store.close();
    });

    it('a closed store says so', async () => {
      const store = openSqliteCallStore({ file });
      await store.close();
      await store.close();
      await expect(new Calls(store).accept(upload('a'))).rejects.toMatchObject({
        failure: { code: 'store_unavailable' },
      });
    });
  });

  describe('when there is no room left', () => {
    it('a write fails whole, as store_full, reads go on, and with room again all is well', async () => {
      const db = openDatabase(file, 100);
      const store = sqliteCallStore(new Database(db), systemClock);
      const calls = new Calls(store);
      // What SQLite answers on a full disk, brought about by its own limit on the file's pages.
      const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
      db.exec(`PRAGMA max_page_count = ${pages + 4}`);
      const accepted: string[] = [];
      let refusal: unknown = null;
      for (let n = 0; refusal === null; n += 1) {
        try {
          accepted.push((await calls.accept({ ...upload(`key ${n}`), fileName: 'x'.repeat(900) })).call.id);
        } catch (error) {
          refusal = error;
        }
      }
      expect(refusal).toMatchObject({ failure: { kind: 'transient', code: 'store_full' } });
      const kept = await store.list('account_1', { limit: 100, offset: 0 });
      expect(kept.calls.map(({ id }) => id)).toEqual(accepted.reverse());
      expect(kept.total).toBe(accepted.length);
      expect(await store.outbox(100)).toHaveLength(accepted.length);

      db.exec('PRAGMA max_page_count = 1000000');
      await calls.accept(upload('with room'));
      expect((await store.list('account_1', { limit: 1, offset: 0 })).total).toBe(accepted.length + 1);
      expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      await store.close();
    });
  });

  it('an error within a write undoes what the write did before it', () => {
    const db = new Database(openDatabase(file, 100));
    const count = db.prepare('SELECT count(*) AS n FROM call_counts');
    expect(() =>
      db.write(false, () => {
        db.prepare("INSERT INTO call_counts VALUES ('a', 'queued', 1)").run();
        throw new Error('in the middle');
      }),
    ).toThrow('in the middle');
    expect(count.get()).toEqual([0]);
    db.write(true, () => db.prepare("INSERT INTO call_counts VALUES ('a', 'queued', 1)").run());
    expect(count.get()).toEqual([1]);
    db.close();
  });

  it('syncs the disk for durable writes and not for others', async () => {
    const connection = openDatabase(file, 100);
    const db = new Database(connection);
    const mode = () => connection.prepare('PRAGMA synchronous').get()?.synchronous;
    const [NORMAL, FULL] = [1, 2];
    expect([db.write(true, mode), db.write(false, mode), db.write(false, mode), db.write(true, mode)]).toEqual([
      FULL,
      NORMAL,
      NORMAL,
      FULL,
    ]);
    db.close();
  });

  it('leaves no log beside the database when it is closed', async () => {
    const store = openSqliteCallStore({ file });
    await new Calls(store).accept(upload('a'));
    await store.close();
    await expect(stat(`${file}-wal`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
