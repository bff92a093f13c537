import { type MemberRole, PASSWORD_LENGTH } from '@call-analytics/contracts';
import { type Failure, WorkError } from '@call-analytics/service-kit';

export const UNAVAILABLE = { code: 'accounts_unavailable', message: 'Accounts are temporarily unavailable.' } as const;

/** For circuit breakers: a caller that exceeds its limit of attempts must not open the circuit for the others. */
export function isOutage({ kind }: Failure): boolean {
  return kind === 'transient';
}

/** @param cause what the store or the network said; it is for the operator and never shown to a caller */
export function accountsUnavailable(cause: unknown): WorkError {
  return new WorkError({ kind: 'transient', ...UNAVAILABLE }, { cause });
}

export function noSuchAccount(accountId: string): WorkError {
  return new WorkError({ kind: 'rejected', code: 'no_such_account', message: `Account ${accountId} does not exist.` });
}

/** How many keys of an account may work at a time. Of those that no longer work, so many are kept to be listed. */
export const MAX_KEYS = 100;

export function tooManyKeys(): WorkError {
  const limit = `This account has ${MAX_KEYS} active API keys, which is the limit.`;
  const message = `${limit} Revoke one that is no longer used, then try again.`;
  return new WorkError({ kind: 'rejected', code: 'too_many_keys', message });
}

/** @returns the name without the blanks around it. @throws WorkError `rejected` `invalid_name` */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  // Half a surrogate pair is no text: each store and the wire would keep something else of it.
  if (trimmed.length >= 1 && trimmed.length <= 200 && !/\p{Cc}/u.test(trimmed) && trimmed.isWellFormed())
    return trimmed;
  throw new WorkError({
    kind: 'rejected',
    code: 'invalid_name',
    message: 'A name must have 1 to 200 characters and no line breaks.',
  });
}

/** How many invitations of an account may be pending at a time. */
const MAX_INVITATIONS = 100;

/** A password of so many different characters or fewer is refused. */
export const TOO_FEW_DIFFERENT_CHARACTERS = 3;

const PASSWORD_RULE =
  `Choose a password of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, of which more than ` +
  `${TOO_FEW_DIFFERENT_CHARACTERS} are different, that is not a common password such as "password123", not a sequence ` +
  'such as "1234567890", not your email or its part before the "@", not your name or the name of your account, and ' +
  'not one of these repeated, with digits or punctuation around it, or in another case or spacing.';

const MESSAGES = {
  sign_up_closed: 'New users need an invitation. Ask an owner of your account for a link.',
  setup_link_needed:
    'This installation has no account yet. Open the setup link that the server printed at start, or create a new one ' +
    'on the server: npm run accounts -- setup-link',
  already_set_up:
    'This installation already has an account, or had one. Create an invitation: npm run accounts -- claim ACCOUNT_ID',
  email_not_confirmed: 'Confirm your email first. Request a link on the sign-up page.',
  invitation_not_valid: 'This invitation was already used or revoked, or has expired. Ask for a new one.',
  email_taken: 'A user with this email already exists. Sign in instead.',
  invalid_email: 'Enter a valid email address.',
  weak_password: PASSWORD_RULE,
  wrong_credentials: 'Wrong email or password.',
  wrong_password: 'Wrong password.',
  not_signed_in: 'Your session has ended. Sign in again.',
  link_not_valid: 'This link was already used or has expired. Request a new one.',
  not_allowed: 'Only an owner of the account can do this.',
  too_many_invitations: `This account has ${MAX_INVITATIONS} pending invitations, which is the limit. Revoke one, then try again.`,
  no_such_member: 'Member not found.',
  last_owner: 'An account needs at least one owner. Make another member an owner first.',
  no_such_user: 'User not found.',
} as const;

/** The errors about users, with the message that is shown. */
export function refused(code: keyof typeof MESSAGES): WorkError {
  return new WorkError({ kind: 'rejected', code, message: MESSAGES[code] });
}

export function tooManyAttempts(until: Date): WorkError {
  return new WorkError({
    kind: 'rate-limited',
    code: 'too_many_attempts',
    message: 'Too many attempts. Try again later.',
    until,
  });
}

// The rights of members. A directory checks them in the transaction of the change.

/** @param role of the actor in the account; null for none. @throws WorkError `not_allowed` */
export function assertMember(role: MemberRole | null): void {
  if (role === null) throw refused('not_allowed');
}

/** @throws WorkError `not_allowed` */
export function assertOwner(role: MemberRole | null): void {
  if (role !== 'owner') throw refused('not_allowed');
}

/** An owner may remove each member, and a member may leave. @throws WorkError `not_allowed` */
export function assertMayRemove(role: MemberRole | null, isSelf: boolean): void {
  assertMember(role);
  if (role !== 'owner' && !isSelf) throw refused('not_allowed');
}

/** For a member who will be no owner any more. @throws WorkError `last_owner` */
export function assertOwnerRemains(hasOtherOwner: boolean): void {
  if (!hasOtherOwner) throw refused('last_owner');
}

/** @param pending how many invitations of the account are pending. @throws WorkError `too_many_invitations` */
export function assertRoomForInvitation(pending: number): void {
  if (pending >= MAX_INVITATIONS) throw refused('too_many_invitations');
}
