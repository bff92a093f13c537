import type { Asking } from '../users/identities.ts';
import type { UserLinks } from '../users/user-links.ts';
import { type UserDocument, type UsersDatabase, userOf } from './users-database.ts';

export function mongoUserLinks({ links }: UsersDatabase, asking: Asking): UserLinks {
  return {
    async add({ hash: _id, ...link }) {
      await asking(() => links.deleteMany({ userId: link.userId, expiresAt: { $lte: link.createdAt } }));
      await asking(() => links.insertOne({ _id, ...link }));
    },
    async find(kind, tokenHash, now) {
      const [found] = await asking(() =>
        links
          .aggregate<{ user: UserDocument }>([
            { $match: { _id: tokenHash, kind, expiresAt: { $gt: now } } },
            { $lookup: { from: 'users', localField: 'userId', foreignField: '_id', as: 'user' } },
            { $unwind: '$user' },
          ])
          .toArray(),
      );
      return found === undefined ? null : userOf(found.user);
    },
    async take(kind, tokenHash, now) {
      return (
        (await asking(() => links.deleteOne({ _id: tokenHash, kind, expiresAt: { $gt: now } }))).deletedCount === 1
      );
    },
  };
}
