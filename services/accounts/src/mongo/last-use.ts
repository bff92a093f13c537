import { USED_AT_MOST_EVERY_MS, type WriteUses } from '../last-used.ts';
import type { Models } from './documents.ts';

/** Each write looks again at what is there: another process may have written the same minute. */
export function writesOfLastUse({ keys }: Models): WriteUses {
  return async (uses) => {
    const writes = [...uses].map(([keyId, at]) => {
      const used = new Date(at);
      const aMinuteFrom = [
        { lastUsedAt: null },
        { lastUsedAt: { $lte: new Date(at - USED_AT_MOST_EVERY_MS) } },
        { lastUsedAt: { $gt: new Date(at + USED_AT_MOST_EVERY_MS) } },
      ];
      return { updateOne: { filter: { _id: keyId, $or: aMinuteFrom }, update: { $set: { lastUsedAt: used } } } };
    });
    await keys.bulkWrite(writes, { ordered: false });
  };
}
