import { DatabaseSync } from 'node:sqlite';

/**
 * Leaves the calls of a database as a release without search by words has written them: none is indexed.
 * @param file the database; it may be open in this process too
 */
export function forgetWords(file: string): void {
  const db = new DatabaseSync(file, { timeout: 60_000 });
  try {
    db.exec(
      'BEGIN IMMEDIATE; DELETE FROM call_words; UPDATE calls_to_index SET up_to = (SELECT max(seq) FROM calls); COMMIT',
    );
  } finally {
    db.close();
  }
}
