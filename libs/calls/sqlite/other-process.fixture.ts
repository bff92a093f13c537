import { DatabaseSync } from 'node:sqlite';

// What another process may do to the database of a store that is open in this one.

/** Leaves the calls as a release without search by words has written them: none is indexed. */
export function forgetWords(file: string): void {
  execute(
    file,
    'BEGIN IMMEDIATE; DELETE FROM call_words; UPDATE calls_to_index SET up_to = (SELECT max(seq) FROM calls); COMMIT',
  );
}

/** Makes writes fail as `store_unavailable` after the store's busy timeout. @returns a function that ends it */
export function lockWrites(file: string): () => void {
  const db = new DatabaseSync(file, { timeout: 60_000 });
  db.exec('BEGIN IMMEDIATE');
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}

/** Runs statements of SQL, such as those that leave a table without what the store needs. */
export function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file, { timeout: 60_000 });
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}
