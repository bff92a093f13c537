import { failureOf } from '@call-analytics/service-kit';
import type { Account } from '../accounts.ts';
import { newAccount } from '../new-records.ts';
import { checkedName } from '../refusals.ts';
import type { Users } from '../users.ts';
import { checkedEmail, checkPassword } from './checks.ts';
import type { Membership } from './directory.ts';
import type { Parts } from './parts.ts';
import { refused } from './refusals.ts';
import { startSession } from './sessions.ts';
import { hashToken } from './tokens.ts';

/** Longer than a sign-up takes between making the user and making them a member. */
const LEFT_BEHIND_AFTER_MS = 60_000;

export function signingUp(parts: Parts): Pick<Users, 'installation' | 'signUp'> {
  const { directory, identities, limits, clock, signUp: policy, sendMail } = parts;

  /** What lets somebody in, found before anything is made; taken when the user is there. */
  const entrance = async (invitation: string | undefined, accountName: string): Promise<(userId: string) => Promise<Membership>> => {
    if (invitation !== undefined) {
      const tokenHash = hashToken(invitation);
      const isOpen = tokenHash !== null && (await directory.findInvitation(tokenHash, clock.now())) !== null;
      if (!isOpen) throw refused('invitation_not_valid');
      return async (userId) => {
        const joined = await directory.join({ userId, tokenHash, now: clock.now() });
        if (joined === null) throw refused('invitation_not_valid');
        return joined;
      };
    }
    const onlyFirst = policy === 'closed';
    if (onlyFirst && !(await directory.isEmpty())) throw refused('sign_up_closed');
    const account: Account = newAccount(accountName, clock.now());
    return async (userId) => {
      if (!(await directory.found({ userId, account, onlyFirst, now: clock.now() }))) throw refused('sign_up_closed');
      return { account, role: 'owner' };
    };
  };

  /** A user who is no member was left behind by a sign-up that ended in the middle, and is nobody. */
  const mustBeFree = async (email: string): Promise<void> => {
    const user = await identities.findByEmail(email);
    if (user === null) return;
    const isLeftBehind =
      clock.now().getTime() - user.createdAt.getTime() > LEFT_BEHIND_AFTER_MS && (await directory.memberOf(user.id)) === null;
    if (!isLeftBehind) throw refused('email_taken');
    await directory.forget(user.id);
  };

  const create = async (name: string, email: string, hash: string) => {
    try {
      return await identities.create({ name, email, hash, now: clock.now() });
    } catch (error) {
      // Somebody else was a moment earlier.
      if ((await identities.findByEmail(email)) !== null) throw refused('email_taken');
      throw error;
    }
  };

  return {
    async installation() {
      const signUp = (await directory.isEmpty()) ? 'first' : policy;
      return { signUp, resetByMail: sendMail !== null };
    },
    async signUp({ name, email, password, accountName, invitation, origin }) {
      const checked = { name: checkedName(name), email: checkedEmail(email) };
      checkPassword(password, checked.email);
      const wasInvited = await limits.attempt('signUp', checked.email, origin);
      const enter = await entrance(invitation, accountName ?? checked.name);
      await mustBeFree(checked.email);
      const user = await create(checked.name, checked.email, await identities.hash(password));
      let membership: Membership;
      try {
        membership = await enter(user.id);
      } catch (error) {
        // After anything else they may be a member all the same.
        if (failureOf(error).kind === 'rejected') await directory.forget(user.id);
        throw error;
      }
      if (invitation !== undefined) await wasInvited();
      return startSession(parts, user, membership, origin);
    },
  };
}
