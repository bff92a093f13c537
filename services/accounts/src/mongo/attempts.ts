import type { Attempts } from '../users/attempts.ts';
import type { Asking } from '../users/identities.ts';
import { isDuplicate, type UsersDatabase } from './users-database.ts';

export function mongoAttempts({ attempts }: UsersDatabase, asking: Asking): Attempts {
  const counted = (_id: string, expiresAt: Date) =>
    attempts.findOneAndUpdate(
      { _id },
      { $inc: { count: 1 }, $setOnInsert: { expiresAt } },
      { upsert: true, returnDocument: 'after' },
    );
  return {
    async count(key, expiresAt, now) {
      await asking(() => attempts.deleteMany({ expiresAt: { $lte: now } }));
      // Of two first attempts at once one makes the document, and the other counts on.
      const once = () => counted(key, expiresAt);
      const found = await asking(() => once().catch((error) => (isDuplicate(error) ? once() : Promise.reject(error))));
      return { count: found?.count ?? 1, until: found?.expiresAt ?? expiresAt };
    },
    async uncount(key) {
      await asking(() => attempts.updateOne({ _id: key, count: { $gt: 0 } }, { $inc: { count: -1 } }));
    },
  };
}
