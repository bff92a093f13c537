import type { KeyScope, MemberRole } from '@call-analytics/contracts';

// The interface of the accounts service: as in accounts.proto, each method takes one request object and returns one.
// Every method throws WorkError `transient` `accounts_unavailable` when the accounts cannot be read or written now.

export interface Account {
  id: string;
  name: string;
  createdAt: Date;
}

/** In `createdBy`: the key was created on the command line. */
export const OPERATOR = 'operator';

/** A key without its secret, which is shown once when the key is created and never stored. */
export interface ApiKey {
  id: string;
  name: string;
  /** The first characters, enough to recognize the key by, e.g. `aca_Ab3dE`. */
  prefix: string;
  scope: KeyScope;
  /** The id of a user, or `OPERATOR`. null: created by a version that did not record it. */
  createdBy: string | null;
  createdAt: Date;
  /** From then on the key is refused. null: it does not expire. */
  expiresAt: Date | null;
  /** Written at most once a minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface NewKey {
  accountId: string;
  name: string;
  /** `write` unless given. */
  scope?: KeyScope;
  /** null, the default: the key does not expire. */
  expiresAt?: Date | null;
  /** `OPERATOR` unless given. */
  createdBy?: string | null;
}

export interface Accounts {
  /** @returns null for a key that is malformed, unknown, revoked or expired, without telling which */
  authenticate(request: { apiKey: string }): Promise<{ account: Account; key: ApiKey } | null>;
  /** @param request.name 1 to 200 characters without control characters. @throws WorkError `rejected` `invalid_name` */
  createAccount(request: { name: string }): Promise<{ account: Account }>;
  /** Oldest first. */
  listAccounts(): Promise<{ accounts: Account[] }>;
  /**
   * Of the keys that no longer work the newest are kept.
   * @returns the secret, this once
   * @throws WorkError `rejected`: `no_such_account`; `no_such_user` (`createdBy` is not a member of the account);
   *   `invalid_name` (as for accounts); `invalid_expiry` (not in the future); `too_many_keys`
   */
  createKey(request: NewKey): Promise<{ key: ApiKey; secret: string }>;
  /** Oldest first, revoked ones too. @throws WorkError `rejected` `no_such_account` */
  listKeys(request: { accountId: string }): Promise<{ keys: ApiKey[] }>;
  /** See `RevocationSource` for callers that cache keys. @returns whether there was such a key, not yet revoked */
  revokeKey(request: { accountId: string; keyId: string }): Promise<{ revoked: boolean }>;
  /** @returns null when it answers, otherwise why not */
  ready(): Promise<string | null>;
  close(): Promise<void>;
}

// The second half of the accounts service: users, their sessions, and the members of accounts. Requests, answers and
// the error `accounts_unavailable` are as in `Accounts`.

export interface User {
  id: string;
  name: string;
  email: string;
}

export interface Member extends User {
  role: MemberRole;
  joinedAt: Date;
}

/** Who is signed in. A user belongs to one account. */
export interface Session {
  user: User;
  account: Account;
  role: MemberRole;
  expiresAt: Date;
}

/** A new session. The token is the value of the cookie, and proves the user. */
export interface SignedIn {
  session: Session;
  token: string;
  /** The browser's cookie that makes it known: its attempts are counted apart from those of others. */
  device: string;
}

export interface Invitation {
  id: string;
  role: MemberRole;
  createdAt: Date;
  expiresAt: Date;
}

/** Where a request came from: for the limits on attempts; the first two are kept with the session. */
export interface Origin {
  ip: string;
  userAgent: string;
  /** The cookie by which the browser is known, as `SignedIn` gave it. */
  device?: string | undefined;
  /** The request was made on the machine that serves it, and no proxy passed it on. */
  local?: boolean;
}

/**
 * Who may sign up without an invitation: the first user of a new installation (on its own machine or with a setup
 * link), everyone, everyone who confirms an email, or no one.
 */
export type SignUpPolicy = 'first' | 'open' | 'confirm' | 'closed';

/**
 * Who asks for something on behalf of an account. The rights are checked here, in the same transaction as the change.
 */
export interface Actor {
  userId: string;
  accountId: string;
}

export interface Users {
  /**
   * `first` while there is no account and never was one, unless sign-up is open. `resetByMail`: whether mail is set up.
   */
  installation(): Promise<{ signUp: SignUpPolicy; resetByMail: boolean }>;

  /**
   * Makes a user, as a member of the account that invites them or as owner of a new one, and signs them in. `link` is
   * the token of a setup link or of a confirmed email.
   * @throws WorkError `rejected`: `sign_up_closed`, `setup_link_needed`, `email_not_confirmed`, `link_not_valid`,
   * `invitation_not_valid` (unknown, used or expired), `email_taken`, `invalid_email`, `invalid_name`, `weak_password`;
   *   `rate-limited` `too_many_attempts`
   */
  signUp(request: {
    name: string;
    email: string;
    password: string;
    accountName?: string;
    invitation?: string;
    link?: string;
    origin: Origin;
  }): Promise<SignedIn>;
  /**
   * Emails a link that confirms the email and lets its owner sign up. The answer is the same, also in time, when there
   * is a user with this email already.
   * @throws WorkError `rejected` `sign_up_closed` (also where no email is to be confirmed), `invalid_email`;
   *   `rate-limited` `too_many_attempts`
   */
  requestSignUp(request: { email: string; origin: Origin }): Promise<void>;

  /**
   * A wrong password and an unknown email cannot be told apart, also not by the time that the answer takes. Of more
   * than 50 sessions of one user the oldest end.
   * @throws WorkError `rejected` `wrong_credentials`; `rate-limited` `too_many_attempts`, by address and by email
   */
  signIn(request: { email: string; password: string; origin: Origin }): Promise<SignedIn>;
  /** @throws WorkError `rejected` `link_not_valid`: unknown, used or expired */
  signInByLink(request: { token: string; origin: Origin }): Promise<SignedIn>;
  /** Extends the session now and then. @returns null when the token is unknown, the session over or the user removed */
  session(request: { token: string }): Promise<Session | null>;
  signOut(request: { token: string }): Promise<void>;

  /** @throws WorkError `rejected` `invalid_name`, `no_such_user` */
  rename(request: { userId: string; name: string }): Promise<{ user: User }>;
  /**
   * Ends every other session of the user.
   * @throws WorkError `rejected` `not_signed_in`, `wrong_password` (the current one), `weak_password`; `rate-limited`
   *   `too_many_attempts`
   */
  changePassword(request: {
    token: string;
    currentPassword: string;
    newPassword: string;
    origin: Origin;
  }): Promise<void>;
  /**
   * Emails a link, if mail is set up and the user exists. The answer is the same in every case, also in time.
   * @throws WorkError `rate-limited` `too_many_attempts`
   */
  requestPasswordReset(request: { email: string; origin: Origin }): Promise<void>;
  /**
   * Works once, ends every session of the user and revokes their API keys.
   * @throws WorkError `rejected` `link_not_valid` or `weak_password`
   */
  resetPassword(request: { token: string; newPassword: string }): Promise<void>;

  /** In the order of joining. */
  listMembers(request: { actor: Actor }): Promise<{ members: Member[] }>;
  /** For owners. @throws WorkError `rejected`: `not_allowed`, `no_such_member`, `last_owner` */
  changeRole(request: { actor: Actor; userId: string; role: MemberRole }): Promise<{ member: Member }>;
  /**
   * For owners, and for members who leave. Deletes the user and their sessions, and revokes the API keys they created.
   * @throws WorkError `rejected`: `not_allowed`, `no_such_member`, `last_owner`
   */
  removeMember(request: { actor: Actor; userId: string }): Promise<void>;

  /**
   * For owners.
   * @returns the token, only here; it works once, for seven days
   * @throws WorkError `rejected` `not_allowed`, `too_many_invitations`
   */
  invite(request: { actor: Actor; role: MemberRole }): Promise<{ invitation: Invitation; token: string }>;
  /** For owners: those that can still be used, oldest first. */
  listInvitations(request: { actor: Actor }): Promise<{ invitations: Invitation[] }>;
  /** @returns whether there was one that could still be used */
  revokeInvitation(request: { actor: Actor; invitationId: string }): Promise<{ revoked: boolean }>;
  /** @returns null when it is unknown, used or expired */
  findInvitation(request: {
    token: string;
  }): Promise<{ accountName: string; role: MemberRole; expiresAt: Date } | null>;

  /**
   * Whether the actor is an owner who knows their password. Nothing changes, and no session begins.
   * @throws WorkError `rejected`: `not_allowed`, `wrong_password`; `rate-limited` `too_many_attempts`
   */
  confirmOwner(request: { actor: Actor; password: string }): Promise<void>;
  /**
   * For owners: ask for their password first (`confirmOwner`). Deletes its users, sessions, invitations and keys too.
   * @throws WorkError `rejected` `not_allowed`
   */
  deleteAccount(request: { actor: Actor }): Promise<void>;

  // For operators, on the command line.

  /** A link for the first user, for one day. @throws WorkError `rejected` `already_set_up` */
  makeSetupLink(): Promise<{ token: string; expiresAt: Date }>;
  /** An invitation as owner for an account that was made there. @throws WorkError `rejected` `no_such_account` */
  claim(request: { accountId: string }): Promise<{ token: string; expiresAt: Date }>;
  /** A link that signs a user in once, within ten minutes. @throws WorkError `rejected` `no_such_user` */
  makeSignInLink(request: { email: string }): Promise<{ token: string; expiresAt: Date }>;
  /** A link to choose a new password, for one hour. @throws WorkError `rejected` `no_such_user` */
  makeResetLink(request: { email: string }): Promise<{ token: string; expiresAt: Date }>;
  /** Of all accounts, by account and in the order of joining. */
  listUsers(): Promise<{ users: (Member & { account: Account })[] }>;

  /** Waits for mails that are being sent. */
  close(): Promise<void>;
}
