import type { MemberRole } from '@call-analytics/contracts';
import type { Account } from '../accounts.ts';
import type { Actor, Invitation, Member, Session, User } from '../users.ts';

/** What a one-time link is for. The link of a claim is an invitation. */
export type LinkKind = 'invitation' | 'sign-in' | 'reset';

/** A link that belongs to an account and makes whoever uses it a member. */
export interface NewInvitation extends Invitation {
  hash: string;
  accountId: string;
}

/** A link that belongs to a user. */
export interface NewUserLink {
  id: string;
  hash: string;
  kind: Exclude<LinkKind, 'invitation'>;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface Membership {
  account: Account;
  role: MemberRole;
}

export interface MemberOfAccount extends Member {
  account: Account;
}

/**
 * Who belongs to which account, the links and the attempts: what the rules need of a database beside that which better-auth keeps in it. Each method is one atomic step, also
 * among several processes. Tokens come as hashes. `now` decides what is expired.
 * Every method throws WorkError `transient` `accounts_unavailable` when it cannot be done now.
 */
export interface Directory {
  /** Whether there is no member of any account. */
  isEmpty(): Promise<boolean>;
  /** One indexed read: asked with every request of a page. @returns null when there is no such session, or its user is no member. It may be over. */
  sessionOf(tokenHash: string): Promise<Session | null>;
  endSession(tokenHash: string): Promise<void>;
  /** Removes what is of no use any more. */
  dropEndedSessions(now: Date): Promise<void>;
  /** A new password: with it go the links that the user has, and their sessions but one. @param except the hash of that one's token */
  replacePassword(request: { userId: string; passwordHash: string; except: string }): Promise<void>;
  /** Takes a reset link; with the old password go all links and all sessions of its user. @returns whether the link could be used */
  resetPassword(request: { tokenHash: string; passwordHash: string; now: Date }): Promise<boolean>;
  memberOf(userId: string): Promise<Membership | null>;
  /** Removes a user who is no member. */
  forget(userId: string): Promise<void>;
  /** Of all accounts, by account and in the order of joining. */
  listUsers(): Promise<MemberOfAccount[]>;

  /** Makes an account with this user as its owner. @returns whether it did: not when `onlyFirst` and there is a member already */
  found(request: { userId: string; account: Account; onlyFirst: boolean; now: Date }): Promise<boolean>;
  /** Takes the invitation and makes the user a member. @returns null when it cannot be used (any more) */
  join(request: { userId: string; tokenHash: string; now: Date }): Promise<Membership | null>;

  /** In the order of joining. @throws WorkError `rejected` `not_allowed` for who is no member */
  listMembers(actor: Actor): Promise<Member[]>;
  /** @throws WorkError `rejected` `not_allowed`, `no_such_member`, `last_owner` */
  changeRole(actor: Actor, userId: string, role: MemberRole): Promise<Member>;
  /** Removes the user with everything that is theirs. @throws WorkError `rejected` `not_allowed`, `no_such_member`, `last_owner` */
  removeMember(actor: Actor, userId: string): Promise<void>;
  /** Removes users, sessions, links, keys and the account. @throws WorkError `rejected` `not_allowed` */
  deleteAccount(actor: Actor): Promise<void>;

  /** @param actor null for the operator. @throws WorkError `rejected` `not_allowed`, `no_such_account` */
  addInvitation(actor: Actor | null, invitation: NewInvitation): Promise<void>;
  /** Oldest first. @throws WorkError `rejected` `not_allowed` */
  listInvitations(actor: Actor, now: Date): Promise<Invitation[]>;
  /** @throws WorkError `rejected` `not_allowed` */
  withdrawInvitation(actor: Actor, invitationId: string, now: Date): Promise<boolean>;
  findInvitation(tokenHash: string, now: Date): Promise<{ accountName: string; role: MemberRole; expiresAt: Date } | null>;

  addUserLink(link: NewUserLink): Promise<void>;
  /** @returns whose link it is, if it can be used */
  findUserLink(kind: NewUserLink['kind'], tokenHash: string, now: Date): Promise<User | null>;
  /** Of many who take a link one gets it. @returns whether this one did */
  takeUserLink(kind: NewUserLink['kind'], tokenHash: string, now: Date): Promise<boolean>;

  /** @param expiresAt when a count that begins now ends. @returns the count with this attempt, and when it ends */
  countAttempt(key: string, expiresAt: Date, now: Date): Promise<{ count: number; until: Date }>;
  uncountAttempt(key: string): Promise<void>;

  close(): Promise<void>;
}
