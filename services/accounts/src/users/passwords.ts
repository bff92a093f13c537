import { setTimeout as sleep } from 'node:timers/promises';
import { oneTimeLink } from '@call-analytics/contracts';
import { failureOf } from '@call-analytics/service-kit';
import type { Users } from '../users.ts';
import { checkPassword, normalisedEmail } from './checks.ts';
import { makeUserLink } from './links.ts';
import { resetMail } from './mail.ts';
import type { Parts } from './parts.ts';
import { refused } from './refusals.ts';
import { hashToken } from './tokens.ts';

/** By then the answer has left, also through a gateway: what is done for a user and not for others cannot make it later. */
const ANSWERED_WITHIN_MS = 100;

/** @param background holds what goes on after the answer */
export function passwords(
  parts: Parts,
  background: Set<Promise<void>>,
): Pick<Users, 'changePassword' | 'requestPasswordReset' | 'resetPassword'> {
  const { directory, links, identities, limits, clock, sendMail, publicUrl, log } = parts;

  const mailLink = async (email: string): Promise<void> => {
    await sleep(ANSWERED_WITHIN_MS);
    const user = await identities.findByEmail(email);
    if (sendMail === null || user === null || (await directory.memberOf(user.id)) === null) return;
    const { token } = await makeUserLink(parts, 'reset', user.id);
    await sendMail(resetMail(user.email, oneTimeLink(publicUrl, 'passwordReset', token)));
  };

  return {
    async changePassword({ token, currentPassword, newPassword, origin }) {
      const hash = hashToken(token);
      const session = hash && (await directory.sessionOf(hash));
      if (!hash || !session || session.expiresAt <= clock.now()) throw refused('wrong_credentials');
      const { user } = session;
      const wasNoGuess = await limits.attempt('password', user.email, origin);
      if (!(await identities.isPassword(await identities.passwordOf(user.id), currentPassword))) throw refused('wrong_credentials');
      await wasNoGuess();
      checkPassword(newPassword, user.email);
      await directory.replacePassword({ userId: user.id, passwordHash: await identities.hash(newPassword), except: hash });
    },
    async requestPasswordReset({ email, origin }) {
      const normalised = normalisedEmail(email);
      await limits.attempt('reset', normalised, origin);
      // Answered before anything is looked up: nothing in the answer, nor its time, says whether there is such a user.
      const sent = mailLink(normalised)
        .catch((error: unknown) => {
          const { code } = failureOf(error);
          log.error({ code, reason: (error as { code?: string }).code }, 'a mail to reset a password could not be sent');
        })
        .finally(() => background.delete(sent));
      background.add(sent);
    },
    async resetPassword({ token, newPassword }) {
      const hash = hashToken(token);
      const now = clock.now();
      const user = hash && (await links.find('reset', hash, now));
      if (!hash || !user) throw refused('link_not_valid');
      // Before the link is used up.
      checkPassword(newPassword, user.email);
      const passwordHash = await identities.hash(newPassword);
      if (!(await directory.resetPassword({ tokenHash: hash, passwordHash, now }))) throw refused('link_not_valid');
    },
  };
}
