import type { DatabaseSync } from 'node:sqlite';
import type { WriteUses } from '../last-used.ts';

/**
 * @param db a connection of its own, so that this takes part in no other transaction; it gives up at once when another process is writing, and then the times stay
 * with the caller for the next round
 */
export function writesOfLastUse(db: DatabaseSync): WriteUses {
  const write = db.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?');
  return (uses) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const [keyId, at] of uses) write.run(at, keyId);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  };
}
