import type { Users } from '../users.ts';
import { normalisedEmail } from './checks.ts';
import type { Parts } from './parts.ts';
import { refused } from './refusals.ts';
import { endSession, startSession } from './sessions.ts';
import { hashToken } from './tokens.ts';

/** No user has it. What is asked of somebody is asked of nobody too, so that the time of an answer does not tell them apart. */
const NOBODY = 'usr_nobody';

export function signingIn(parts: Parts): Pick<Users, 'signIn' | 'signInByLink'> {
  const { directory, links, identities, limits, clock } = parts;
  return {
    async signIn({ email, password, origin }) {
      const normalised = normalisedEmail(email);
      const wasNoGuess = await limits.attempt('password', normalised, origin);
      const user = await identities.findByEmail(normalised);
      const userId = user?.id ?? NOBODY;
      const hash = await identities.passwordOf(userId);
      const membership = await directory.memberOf(userId);
      const isRight = await identities.isPassword(hash, password);
      if (!isRight || user === null || membership === null) throw refused('wrong_credentials');
      await wasNoGuess();
      const isStillTheirs = async () => (await identities.passwordOf(userId)) === hash;
      const signedIn = await startSession(parts, user, membership, origin).catch(async (error: unknown) => {
        // The user may be gone by now.
        throw (await isStillTheirs()) ? error : refused('wrong_credentials');
      });
      if (await isStillTheirs()) return signedIn;
      // The password was replaced meanwhile, perhaps just before this session was made: it must not outlive the old password.
      await endSession(parts, signedIn.token);
      throw refused('wrong_credentials');
    },
    async signInByLink({ token, origin }) {
      const hash = hashToken(token);
      const now = clock.now();
      const user = hash && (await links.find('sign-in', hash, now));
      const membership = user && (await directory.memberOf(user.id));
      if (!hash || !user || !membership || !(await links.take('sign-in', hash, now))) throw refused('link_not_valid');
      return startSession(parts, user, membership, origin);
    },
  };
}
