import type { Origin, SignedIn, User, Users } from '../users.ts';
import type { Membership } from './directory.ts';
import { SESSION } from './identities.ts';
import type { Parts } from './parts.ts';
import { hashToken, tokenWithHash } from './tokens.ts';

export async function startSession(
  { identities, clock }: Parts,
  user: User,
  { account, role }: Membership,
  origin: Origin,
): Promise<SignedIn> {
  const { token, hash } = tokenWithHash();
  const expiresAt = await identities.startSession(user.id, hash, origin, clock.now());
  const { id, name, email } = user;
  return { session: { user: { id, name, email }, account, role, expiresAt }, token };
}

/** Sessions that are there already. */
export function sessions({ directory, identities, clock }: Parts): Pick<Users, 'session' | 'signOut'> {
  return {
    async session({ token }) {
      const hash = hashToken(token);
      if (hash === null) return null;
      const session = await directory.sessionOf(hash);
      const now = clock.now();
      if (session === null || session.expiresAt <= now) return null;
      const age = SESSION.lastsMs - (session.expiresAt.getTime() - now.getTime());
      if (age < SESSION.extendedAfterMs) return session;
      return { ...session, expiresAt: await identities.extendSession(hash, now) };
    },
    async signOut({ token }) {
      const hash = hashToken(token);
      if (hash !== null) await identities.endSession(hash);
    },
  };
}
