import type { MemberRole } from '@call-analytics/contracts';
import type { Account, Actor, Invitation, Member, Session, User } from '../accounts.ts';

// The ports of what is kept of users.

/** A link that makes its user a member of an account. The link of a claim is one. */
export interface NewInvitation extends Invitation {
  hash: string;
  accountId: string;
}

export interface Membership {
  account: Account;
  role: MemberRole;
}

export interface MemberOfAccount extends Member {
  account: Account;
}

export interface NewPassword {
  userId: string;
  passwordHash: string;
  /** The hash of the token of the session that stays. */
  except: string;
}

export interface PasswordReset {
  tokenHash: string;
  passwordHash: string;
  now: Date;
}

export interface AccountCreation {
  userId: string;
  account: Account;
  entry: Entry;
  now: Date;
}

export interface InvitationAcceptance {
  userId: string;
  tokenHash: string;
  now: Date;
}

/**
 * The members of accounts and their sessions, as far as better-auth does not do it: atomic, also among several
 * processes, with tokens as hashes and `now` to decide what has expired. Every method throws WorkError `transient`
 * `accounts_unavailable` when it cannot be done now.
 */
export interface Directory {
  /** One indexed read per request of a page. @returns null without such a session or member; the session may be over */
  sessionOf(tokenHash: string): Promise<Session | null>;
  endSession(tokenHash: string): Promise<void>;
  /** Removes what is of no use any more. */
  dropEndedSessions(now: Date): Promise<void>;
  /** Ends the oldest sessions of the user beyond so many. */
  keepNewestSessions(userId: string, count: number): Promise<void>;
  /** Also deletes the links of the user and their sessions but one. */
  replacePassword(request: NewPassword): Promise<void>;
  /**
   * Uses a reset link; deletes all links and sessions of its user and revokes their keys.
   * @returns false for a bad link
   */
  resetPassword(request: PasswordReset): Promise<boolean>;
  memberOf(userId: string): Promise<Membership | null>;
  /** Removes a user who is no member. */
  forget(userId: string): Promise<void>;
  /** Of all accounts, by account and in the order of joining. */
  listUsers(): Promise<MemberOfAccount[]>;

  /** Makes an account with this user as owner and deletes links for a first user. @returns false if `entry` fails */
  createAccount(request: AccountCreation): Promise<boolean>;
  /** Takes the invitation and makes the user a member. @returns null when it cannot be used (any more) */
  acceptInvitation(request: InvitationAcceptance): Promise<Membership | null>;

  /** In the order of joining. @throws WorkError `rejected` `not_allowed` for who is no member */
  listMembers(actor: Actor): Promise<Member[]>;
  /** @throws WorkError `rejected` `not_allowed`, `no_such_member`, `last_owner` */
  changeRole(actor: Actor, userId: string, role: MemberRole): Promise<Member>;
  /** Also revokes their API keys. @throws WorkError `rejected` `not_allowed`, `no_such_member`, `last_owner` */
  removeMember(actor: Actor, userId: string, now: Date): Promise<void>;
  /** Removes users, sessions, links, keys and the account. @throws WorkError `rejected` `not_allowed` */
  deleteAccount(actor: Actor): Promise<void>;

  /**
   * @param actor null for the operator.
   * @throws WorkError `rejected` `not_allowed`, `no_such_account`, `too_many_invitations`
   */
  addInvitation(actor: Actor | null, invitation: NewInvitation): Promise<void>;
  /** Oldest first. @throws WorkError `rejected` `not_allowed` */
  listInvitations(actor: Actor, now: Date): Promise<Invitation[]>;
  /** @throws WorkError `rejected` `not_allowed` */
  revokeInvitation(actor: Actor, invitationId: string, now: Date): Promise<boolean>;
  findInvitation(
    tokenHash: string,
    now: Date,
  ): Promise<{ accountName: string; role: MemberRole; expiresAt: Date } | null>;

  close(): Promise<void>;
}

/** A one-time link that belongs to a user. */
export interface NewUserLink {
  id: string;
  hash: string;
  kind: 'sign-in' | 'reset';
  userId: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The links that users have. Steps, tokens, times and failures as in `Directory`. */
export interface UserLinks {
  /** Those of the user that have expired go. */
  add(link: NewUserLink): Promise<void>;
  /** @returns whose link it is, if it can be used */
  find(kind: NewUserLink['kind'], tokenHash: string, now: Date): Promise<User | null>;
  /** Of many who take a link one gets it. @returns whether this one did */
  take(kind: NewUserLink['kind'], tokenHash: string, now: Date): Promise<boolean>;
}

/** A link for a sign-up without an invitation, which creates a new account. */
interface NewSignUpLink {
  hash: string;
  /** The email that the link was sent to, and proves. null: the link is for the first user of the installation. */
  email: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** What a store keeps of the installation as a whole. Steps, tokens, times and failures as in `Directory`. */
export interface InstallationStore {
  /** Whether there is no account and never was one that was deleted. */
  isUnclaimed(): Promise<boolean>;
  /** Signs the cookies of known browsers: the same for all processes, made with the store. */
  deviceSecret(): Promise<string>;
  /** Expired links are deleted. */
  addSignUpLink(link: NewSignUpLink): Promise<void>;
  /** @returns whose link it is, if it can be used */
  findSignUpLink(tokenHash: string, now: Date): Promise<Pick<NewSignUpLink, 'email'> | null>;
}

/** What a user without an invitation comes in with. All of it must hold in the step that makes the account. */
export interface Entry {
  /** Only as the first user of the installation. */
  onlyFirst: boolean;
  /** A sign-up link, which is used up. */
  linkHash: string | null;
}

/** How often something was tried: all processes count together. Steps, times and failures as in `Directory`. */
export interface Attempts {
  /** @param expiresAt when a count that begins now ends. @returns the count with this attempt, and when it ends */
  count(key: string, expiresAt: Date, now: Date): Promise<{ count: number; until: Date }>;
  uncount(key: string): Promise<void>;
}
