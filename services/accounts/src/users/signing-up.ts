import { oneTimeLink } from '@call-analytics/contracts';
import { failureOf, type Logger, type Part } from '@call-analytics/service-kit';
import type { Account, Origin, Users } from '../accounts.ts';
import { newAccount } from '../records.ts';
import { checkedName, refused } from '../refusals.ts';
import type { Dependencies } from './dependencies.ts';
import { checkedEmail, checkPassword } from './identities.ts';
import { afterTheAnswer, alreadyUserMail, confirmMail, hashToken, makeSignUpLink } from './links.ts';
import { startSession } from './sessions.ts';
import type { Entry, Membership } from './stores.ts';

/** Longer than the time between creating a user and making them a member. */
const LEFT_BEHIND_AFTER_MS = 60_000;

/** A request to sign up, with its checked email. */
interface SignUpRequest {
  invitation: string | undefined;
  link: string | undefined;
  email: string;
  accountName: string;
  origin: Origin;
}

type Methods = 'installation' | 'requestSignUp' | 'makeSetupLink' | 'signUp';

export function signingUp(dependencies: Dependencies): Pick<Users, Methods> {
  const { directory, installation, identities, limits, clock, signUp: policy, sendMail, publicUrl } = dependencies;
  const isOpen = policy === 'open';
  const mustConfirm = isOpen && sendMail !== null;

  /**
   * Checks the invitation, the link or the policy that admits a new user, before anything is written.
   * @returns makes the user a member; call it once the user exists
   */
  const admission = async ({
    invitation,
    link,
    email,
    accountName,
    origin,
  }: SignUpRequest): Promise<(userId: string) => Promise<Membership>> => {
    if (invitation !== undefined) return admissionByInvitation(invitation);
    const entry = link === undefined ? await withoutLink(origin) : await withLink(link, email);
    const account: Account = newAccount(accountName, clock.now());
    return async (userId) => {
      if (await directory.createAccount({ userId, account, entry, now: clock.now() }))
        return { account, role: 'owner' };
      throw refused(link === undefined ? 'sign_up_closed' : 'link_not_valid');
    };
  };

  const admissionByInvitation = async (invitation: string) => {
    const tokenHash = hashToken(invitation);
    const isValid = tokenHash !== null && (await directory.findInvitation(tokenHash, clock.now())) !== null;
    if (!isValid) throw refused('invitation_not_valid');
    return async (userId: string) => {
      const joined = await directory.acceptInvitation({ userId, tokenHash, now: clock.now() });
      if (joined === null) throw refused('invitation_not_valid');
      return joined;
    };
  };

  /** @returns the name of the account that the user joins or creates */
  const accountNameOf = async ({ invitation, accountName }: SignUpRequest): Promise<string> => {
    const tokenHash = invitation === undefined ? null : hashToken(invitation);
    const found = tokenHash === null ? null : await directory.findInvitation(tokenHash, clock.now());
    return found?.accountName ?? accountName;
  };

  const withLink = async (link: string, email: string): Promise<Entry> => {
    const linkHash = hashToken(link);
    const found = linkHash === null ? null : await installation.findSignUpLink(linkHash, clock.now());
    if (found === null || (found.email !== null && found.email !== email)) throw refused('link_not_valid');
    // SIGN_UP may have been closed since the link was sent.
    if (found.email !== null && !isOpen) throw refused('sign_up_closed');
    return { onlyFirst: found.email === null, linkHash };
  };

  const withoutLink = async ({ local }: Origin): Promise<Entry> => {
    const entry = { onlyFirst: !isOpen, linkHash: null };
    if (isOpen && !mustConfirm) return entry;
    const isFirst = await installation.isUnclaimed();
    if (isFirst && local === true) return { ...entry, onlyFirst: true };
    if (mustConfirm) throw refused('email_not_confirmed');
    throw refused(isFirst ? 'setup_link_needed' : 'sign_up_closed');
  };

  const mailSignUpLink = async (email: string): Promise<void> => {
    if (sendMail === null) return;
    const user = await identities.findByEmail(email);
    if (user !== null && (await directory.memberOf(user.id)) !== null) {
      await sendMail(alreadyUserMail(email, publicUrl()));
      return;
    }
    const { token } = await makeSignUpLink(dependencies, email);
    await sendMail(confirmMail(email, oneTimeLink(publicUrl(), 'signUp', token, { email })));
  };

  /**
   * Deletes a user who was left behind by an interrupted sign-up: such a user is a member of no account.
   * @throws WorkError `rejected` `email_taken`
   */
  const assertEmailAvailable = async (email: string): Promise<void> => {
    const user = await identities.findByEmail(email);
    if (user === null) return;
    const isLeftBehind =
      clock.now().getTime() - user.createdAt.getTime() > LEFT_BEHIND_AFTER_MS &&
      (await directory.memberOf(user.id)) === null;
    if (!isLeftBehind) throw refused('email_taken');
    await directory.forget(user.id);
  };

  const create = async (name: string, email: string, hash: string) => {
    try {
      return await identities.create({ name, email, hash, now: clock.now() });
    } catch (error) {
      // Another request created the user in the meantime.
      if ((await identities.findByEmail(email)) !== null) throw refused('email_taken');
      throw error;
    }
  };

  return {
    async installation() {
      const resetByMail = sendMail !== null;
      if (isOpen) return { signUp: mustConfirm ? 'confirm' : 'open', resetByMail };
      return { signUp: (await installation.isUnclaimed()) ? 'first' : 'closed', resetByMail };
    },
    async requestSignUp({ email, origin }) {
      if (!mustConfirm) throw refused('sign_up_closed');
      const checked = checkedEmail(email);
      await limits.attempt('mail', checked, origin);
      afterTheAnswer(dependencies, 'an email to confirm a sign-up could not be sent', () => mailSignUpLink(checked));
    },
    async makeSetupLink() {
      if (!(await installation.isUnclaimed())) throw refused('already_set_up');
      return makeSignUpLink(dependencies, null);
    },
    async signUp({ name, email, password, accountName, invitation, link, origin }) {
      const checked = { name: checkedName(name), email: checkedEmail(email) };
      const request = { invitation, link, email: checked.email, accountName: accountName ?? checked.name, origin };
      checkPassword(password, [checked.email, checked.name, await accountNameOf(request)]);
      const forgiveAttempt = await limits.attempt('signUp', checked.email, origin);
      const join = await admission(request);
      await assertEmailAvailable(checked.email);
      const user = await create(checked.name, checked.email, await identities.hash(password));
      let membership: Membership;
      try {
        membership = await join(user.id);
      } catch (error) {
        // After any other failure the user may be a member: the store may have written before it failed.
        if (failureOf(error).kind === 'rejected') await directory.forget(user.id);
        throw error;
      }
      if (invitation !== undefined || link !== undefined) await forgiveAttempt();
      return startSession(dependencies, user, membership, origin);
    },
  };
}

const TRY_AGAIN_AFTER_MS = 5_000;

/**
 * Writes a link for the first user to the log while the installation has no account, and tries again while the store
 * does not answer. Each start makes a new link; those before stay valid until they expire or an account exists.
 * @param publicUrl where people reach the pages
 */
export function setupAnnouncement(
  users: Pick<Users, 'installation' | 'makeSetupLink'>,
  publicUrl: string | (() => string),
  log: Logger,
  tryAgainAfterMs = TRY_AGAIN_AFTER_MS,
): Part {
  let failures = 0;
  let next: NodeJS.Timeout | null = null;
  let stopped = false;

  async function announce(): Promise<void> {
    try {
      const { signUp } = await users.installation();
      if (signUp === 'open' || signUp === 'closed') return;
      const { token, expiresAt } = await users.makeSetupLink();
      const url = oneTimeLink(typeof publicUrl === 'string' ? publicUrl : publicUrl(), 'signUp', token);
      log.warn({ url, expiresAt }, 'there is no account yet: open this link to create the first one');
    } catch (error) {
      const { code, kind } = failureOf(error);
      // With SIGN_UP=open an installation may have accounts: then there is nothing to say.
      if (code === 'already_set_up' || stopped) return;
      failures += 1;
      if (failures === 1)
        log.warn({ err: error }, 'no setup link yet: create one with "npm run accounts -- setup-link"');
      if (kind === 'transient' || kind === 'unavailable') next = setTimeout(announce, tryAgainAfterMs).unref();
    }
  }

  return {
    name: 'setup link',
    start: announce,
    async stop() {
      stopped = true;
      if (next !== null) clearTimeout(next);
    },
  };
}
