import type { Origin, SignedIn, User, Users } from '../users.ts';
import type { Membership } from './directory.ts';
import { SESSION } from './identities.ts';
import type { Parts } from './parts.ts';
import { hashToken, tokenWithHash } from './tokens.ts';

/** A person has a few browsers. Whoever signs in again and again must not fill the store. */
const MAX_SESSIONS = 50;

export async function startSession(
  { directory, identities, devices, clock }: Parts,
  user: User,
  { account, role }: Membership,
  origin: Origin,
): Promise<SignedIn> {
  const { token, hash } = tokenWithHash();
  const now = clock.now();
  await directory.dropEndedSessions(now);
  const expiresAt = await identities.startSession(user.id, hash, origin, now);
  await directory.keepNewestSessions(user.id, MAX_SESSIONS);
  const { id, name, email } = user;
  const device = await devices.remember(email, origin.device);
  return { session: { user: { id, name, email }, account, role, expiresAt }, token, device };
}

export async function endSession({ directory }: Parts, token: string): Promise<void> {
  const hash = hashToken(token);
  if (hash !== null) await directory.endSession(hash);
}

/** Sessions that are there already. */
export function sessions(parts: Parts): Pick<Users, 'session' | 'signOut'> {
  const { directory, identities, clock } = parts;
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
    signOut: ({ token }) => endSession(parts, token),
  };
}
