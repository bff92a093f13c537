import type { Asking } from '../users/identities.ts';
import type { InstallationStore } from '../users/installation.ts';
import type { Session, UsersDatabase } from './users-database.ts';

export function mongoInstallation(database: UsersDatabase, asking: Asking): InstallationStore {
  const { installation, signUpLinks } = database;
  return {
    isUnclaimed: () => asking(() => isUnclaimed(database)),
    async deviceSecret() {
      const found = await asking(() => installation.findOne({ _id: 'installation' }));
      if (found?.deviceSecret === undefined) throw new Error('the database has no installation document');
      return found.deviceSecret;
    },
    async addSignUpLink({ hash: _id, ...link }) {
      await asking(() => signUpLinks.deleteMany({ expiresAt: { $lte: link.createdAt } }));
      await asking(() => signUpLinks.insertOne({ _id, ...link }));
    },
    async findSignUpLink(tokenHash, now) {
      const found = await asking(() => signUpLinks.findOne({ _id: tokenHash, expiresAt: { $gt: now } }));
      return found === null ? null : { email: found.email };
    },
  };
}

export async function isUnclaimed({ accounts, installation }: UsersDatabase, session?: Session): Promise<boolean> {
  const about = { ...(session && { session }), projection: { _id: 1 } } as const;
  if ((await installation.findOne({ _id: 'installation', closed: true }, about)) !== null) return false;
  return (await accounts.findOne({}, about)) === null;
}
