import type { DatabaseSync } from 'node:sqlite';

/** Each entry brings the database one version up (`user_version`). Entries are never changed once released: a change is a new entry. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE accounts (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE api_keys (
     hash BLOB PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     account_id TEXT NOT NULL REFERENCES accounts (id),
     name TEXT NOT NULL,
     prefix TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     revoked_at INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);`,
];

/**
 * Brings the database to the newest version. Several processes may do this at once: one does it, the others find it done.
 * @throws Error when the database was made by a newer version of this program
 */
export function migrate(db: DatabaseSync): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(db);
    if (version > MIGRATIONS.length)
      throw new Error(`The accounts database has version ${version}; this program knows ${MIGRATIONS.length}. Run a newer one.`);
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}
