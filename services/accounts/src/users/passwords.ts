import { oneTimeLink } from '@call-analytics/contracts';
import { refused } from '../refusals.ts';
import type { Users } from '../users.ts';
import { checkPassword, normalisedEmail } from './checks.ts';
import { hashToken, makeUserLink } from './links.ts';
import { afterTheAnswer, resetMail } from './mail.ts';
import type { Parts } from './make-users.ts';

export function passwords(parts: Parts): Pick<Users, 'changePassword' | 'requestPasswordReset' | 'resetPassword'> {
  const { directory, links, identities, limits, clock, sendMail, publicUrl } = parts;

  const mailLink = async (email: string): Promise<void> => {
    const user = await identities.findByEmail(email);
    if (sendMail === null || user === null || (await directory.memberOf(user.id)) === null) return;
    const { token } = await makeUserLink(parts, 'reset', user.id);
    await sendMail(resetMail(user.email, oneTimeLink(publicUrl(), 'passwordReset', token)));
  };

  return {
    async changePassword({ token, currentPassword, newPassword }) {
      const hash = hashToken(token);
      const session = hash && (await directory.sessionOf(hash));
      if (!hash || !session || session.expiresAt <= clock.now()) throw refused('wrong_credentials');
      const { user, account } = session;
      const wasNoGuess = await limits.attemptOf(user.id);
      if (!(await identities.isPassword(await identities.passwordOf(user.id), currentPassword)))
        throw refused('wrong_credentials');
      await wasNoGuess();
      checkPassword(newPassword, [user.email, user.name, account.name]);
      await directory.replacePassword({
        userId: user.id,
        passwordHash: await identities.hash(newPassword),
        except: hash,
      });
    },
    async requestPasswordReset({ email, origin }) {
      const normalised = normalisedEmail(email);
      await limits.attempt('mail', normalised, origin);
      afterTheAnswer(parts, 'an email to reset a password could not be sent', () => mailLink(normalised));
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
