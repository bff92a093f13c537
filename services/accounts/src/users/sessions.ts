import { oneTimeLink } from '@call-analytics/contracts';
import type { Origin, SignedIn, User, Users } from '../accounts.ts';
import { refused } from '../refusals.ts';
import type { Dependencies } from './dependencies.ts';
import { checkPassword, normalizedEmail, SESSION } from './identities.ts';
import { afterTheAnswer, hashToken, makeUserLink, resetMail, tokenWithHash } from './links.ts';
import type { Membership } from './stores.ts';

/** No user has this id. An unknown email causes the same reads as a known one, so that both take the same time. */
const UNKNOWN_USER_ID = 'usr_nobody';

export function signingIn(dependencies: Dependencies): Pick<Users, 'signIn' | 'signInByLink'> {
  const { directory, links, identities, limits, clock } = dependencies;
  return {
    async signIn({ email, password, origin }) {
      const normalized = normalizedEmail(email);
      const forgiveAttempt = await limits.attempt('password', normalized, origin);
      const user = await identities.findByEmail(normalized);
      const userId = user?.id ?? UNKNOWN_USER_ID;
      const hash = await identities.passwordOf(userId);
      const membership = await directory.memberOf(userId);
      const isRight = await identities.isPassword(hash, password);
      if (!isRight || user === null || membership === null) throw refused('wrong_credentials');
      await forgiveAttempt();
      const isStillTheirs = async () => (await identities.passwordOf(userId)) === hash;
      const signedIn = await startSession(dependencies, user, membership, origin).catch(async (error: unknown) => {
        // The user may be gone by now.
        throw (await isStillTheirs()) ? error : refused('wrong_credentials');
      });
      if (await isStillTheirs()) return signedIn;
      // The password was replaced meanwhile: this session must not outlive the old one.
      await endSession(dependencies, signedIn.token);
      throw refused('wrong_credentials');
    },
    async signInByLink({ token, origin }) {
      const hash = hashToken(token);
      const now = clock.now();
      const user = hash && (await links.find('sign-in', hash, now));
      const membership = user && (await directory.memberOf(user.id));
      if (!hash || !user || !membership || !(await links.take('sign-in', hash, now))) throw refused('link_not_valid');
      return startSession(dependencies, user, membership, origin);
    },
  };
}

/** More than the browsers of one person. Repeated sign-ins must not fill the store. */
const MAX_SESSIONS = 50;

export async function startSession(
  { directory, identities, devices, clock }: Dependencies,
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

async function endSession({ directory }: Dependencies, token: string): Promise<void> {
  const hash = hashToken(token);
  if (hash !== null) await directory.endSession(hash);
}

/** Sessions that are there already. */
export function sessions(dependencies: Dependencies): Pick<Users, 'session' | 'signOut'> {
  const { directory, identities, clock } = dependencies;
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
    signOut: ({ token }) => endSession(dependencies, token),
  };
}

export function passwords(
  dependencies: Dependencies,
): Pick<Users, 'changePassword' | 'requestPasswordReset' | 'resetPassword'> {
  const { directory, links, identities, limits, clock, sendMail, publicUrl } = dependencies;

  const mailLink = async (email: string): Promise<void> => {
    const user = await identities.findByEmail(email);
    if (sendMail === null || user === null || (await directory.memberOf(user.id)) === null) return;
    const { token } = await makeUserLink(dependencies, 'reset', user.id);
    await sendMail(resetMail(user.email, oneTimeLink(publicUrl(), 'passwordReset', token)));
  };

  return {
    async changePassword({ token, currentPassword, newPassword }) {
      const hash = hashToken(token);
      const session = hash && (await directory.sessionOf(hash));
      if (!hash || !session || session.expiresAt <= clock.now()) throw refused('not_signed_in');
      const { user, account } = session;
      const forgiveAttempt = await limits.attemptOf(user.id);
      if (!(await identities.isPassword(await identities.passwordOf(user.id), currentPassword)))
        throw refused('wrong_password');
      await forgiveAttempt();
      checkPassword(newPassword, [user.email, user.name, account.name]);
      await directory.replacePassword({
        userId: user.id,
        passwordHash: await identities.hash(newPassword),
        except: hash,
      });
    },
    async requestPasswordReset({ email, origin }) {
      const normalized = normalizedEmail(email);
      await limits.attempt('mail', normalized, origin);
      afterTheAnswer(dependencies, 'an email to reset a password could not be sent', () => mailLink(normalized));
    },
    async resetPassword({ token, newPassword }) {
      const hash = hashToken(token);
      const now = clock.now();
      const user = hash && (await links.find('reset', hash, now));
      if (!hash || !user) throw refused('link_not_valid');
      // Before the link is used up.
      const membership = await directory.memberOf(user.id);
      checkPassword(newPassword, [user.email, user.name, membership?.account.name ?? '']);
      const passwordHash = await identities.hash(newPassword);
      if (!(await directory.resetPassword({ tokenHash: hash, passwordHash, now }))) throw refused('link_not_valid');
    },
  };
}
