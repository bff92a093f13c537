import type { Users } from '../users.ts';
import { normalisedEmail } from './checks.ts';
import { makeInvitation, makeUserLink } from './links.ts';
import type { Parts } from './parts.ts';
import { refused } from './refusals.ts';

/** What only operators may do. */
export function operators(parts: Parts): Pick<Users, 'claim' | 'makeSignInLink' | 'makeResetLink' | 'listUsers'> {
  const { directory, identities } = parts;
  const userIdOf = async (email: string): Promise<string> => {
    const user = await identities.findByEmail(normalisedEmail(email));
    if (user === null || (await directory.memberOf(user.id)) === null) throw refused('no_such_user');
    return user.id;
  };
  return {
    async claim({ accountId }) {
      const { token, invitation } = await makeInvitation(parts, null, { accountId, role: 'owner' });
      return { token, expiresAt: invitation.expiresAt };
    },
    async makeSignInLink({ email }) {
      return makeUserLink(parts, 'sign-in', await userIdOf(email));
    },
    async makeResetLink({ email }) {
      return makeUserLink(parts, 'reset', await userIdOf(email));
    },
    async listUsers() {
      return { users: await directory.listUsers() };
    },
  };
}
