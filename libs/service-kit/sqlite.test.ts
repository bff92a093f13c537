import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrateSqlite, openSqlite, passingSqliteError } from './sqlite.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sqlite-'));
  file = join(dir, 'folder', 'notes.sqlite');
});
afterEach(() => rmSync(dir, { recursive: true }));

const OPTIONS = { busyTimeoutMs: 20, pragmas: 'PRAGMA foreign_keys = ON', name: 'The notes' };
const NOTES = ['CREATE TABLE notes (text TEXT NOT NULL UNIQUE)'];
const open = () => openSqlite(file, { ...OPTIONS, migrations: NOTES });

/** @returns what `work` throws */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

describe('a database', () => {
  it('is brought forward by the migrations it lacks, in order, and no other', () => {
    const db = new DatabaseSync(':memory:');
    migrateSqlite(db, ['CREATE TABLE notes (text TEXT)', "INSERT INTO notes VALUES ('second')"], 'The notes');
    migrateSqlite(
      db,
      ['not run', 'not run either', "INSERT INTO notes VALUES ('third')", "INSERT INTO notes VALUES ('fourth')"],
      'The notes',
    );
    expect(db.prepare('SELECT text FROM notes').all()).toEqual([
      { text: 'second' },
      { text: 'third' },
      { text: 'fourth' },
    ]);
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 4 });
  });

  it('stays at its version when a migration fails', () => {
    const db = new DatabaseSync(':memory:');
    migrateSqlite(db, ['CREATE TABLE notes (text TEXT)'], 'The notes');
    expect(() => migrateSqlite(db, ['', "INSERT INTO notes VALUES ('half')", 'nonsense'], 'The notes')).toThrow();
    expect(db.prepare('SELECT * FROM notes').all()).toEqual([]);
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  });
});

describe('an error of SQLite', () => {
  it('may pass when another process holds the database, it cannot be opened, or its connection is closed', () => {
    const db = open();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    expect(passingSqliteError(thrownBy(() => db.exec('BEGIN IMMEDIATE')))).toBe('unavailable');
    other.close();
    expect(passingSqliteError(thrownBy(() => new DatabaseSync(dir)))).toBe('unavailable');
    db.close();
    expect(passingSqliteError(thrownBy(() => db.exec('SELECT 1')))).toBe('unavailable');
  });

  it('says when there is no room', () => {
    const db = open();
    db.exec(`PRAGMA max_page_count = ${Number(db.prepare('PRAGMA page_count').get()?.page_count)}`);
    expect(passingSqliteError(thrownBy(() => db.exec(`INSERT INTO notes VALUES ('${'x'.repeat(9_000)}')`)))).toBe(
      'full',
    );
    db.close();
  });

  it('does not pass when a statement, a constraint or the file is wrong', () => {
    const db = open();
    db.exec("INSERT INTO notes VALUES ('once')");
    const wrong = ['SELECT no_such FROM notes', "INSERT INTO notes VALUES ('once')", 'INSERT INTO notes VALUES (NULL)'];
    for (const sql of wrong) expect(passingSqliteError(thrownBy(() => db.exec(sql)))).toBeNull();
    db.close();
    writeFileSync(file, 'These are my notes, and no database at all. '.repeat(100));
    expect(passingSqliteError(thrownBy(open))).toBeNull();
    expect(passingSqliteError(new Error('of something else'))).toBeNull();
  });
});
