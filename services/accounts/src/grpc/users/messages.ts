import type { MemberRole } from '@call-analytics/contracts';
import type { Invitation, Member, Session, SignedIn, SignUpPolicy, User, Users } from '../../users.ts';
import {
  type AccountMessage,
  accountFrom,
  accountMessage,
  date,
  present,
  type TimestampMessage,
  timestamp,
} from '../messages.ts';

type RoleMessage = 'ROLE_UNSPECIFIED' | 'ROLE_OWNER' | 'ROLE_MEMBER';
type PolicyMessage =
  | 'SIGN_UP_POLICY_UNSPECIFIED'
  | 'SIGN_UP_POLICY_FIRST'
  | 'SIGN_UP_POLICY_OPEN'
  | 'SIGN_UP_POLICY_CLOSED'
  | 'SIGN_UP_POLICY_CONFIRM';

interface MemberMessage {
  user: User | null;
  role: RoleMessage;
  joinedAt: TimestampMessage | null;
}

interface SessionMessage {
  user: User | null;
  account: AccountMessage | null;
  role: RoleMessage;
  expiresAt: TimestampMessage | null;
}

interface InvitationMessage {
  id: string;
  role: RoleMessage;
  createdAt: TimestampMessage | null;
  expiresAt: TimestampMessage | null;
}

interface OpenInvitationMessage {
  accountName: string;
  role: RoleMessage;
  expiresAt: TimestampMessage | null;
}

interface Actor {
  userId: string;
  accountId: string;
}

interface Origin {
  ip: string;
  userAgent: string;
  device?: string | undefined;
  local?: boolean;
}

interface SignedInMessage {
  session: SessionMessage | null;
  token: string;
  device: string;
}

interface LinkMessage {
  token: string;
  expiresAt: TimestampMessage | null;
}

type OfActor = { actor: Actor | null };
type FromOrigin = { origin: Origin | null };

/** The methods of the service Users with their messages, as @grpc/proto-loader gives and takes them. What is not set is null; what is optional and not set is missing. */
export interface UsersMethods {
  GetInstallation: { request: object; response: { signUp: PolicyMessage; resetByMail: boolean } };
  SignUp: {
    request: FromOrigin & {
      name: string;
      email: string;
      password: string;
      accountName?: string | undefined;
      invitation?: string | undefined;
      link?: string | undefined;
    };
    response: SignedInMessage;
  };
  RequestSignUp: { request: FromOrigin & { email: string }; response: object };
  SignIn: { request: FromOrigin & { email: string; password: string }; response: SignedInMessage };
  SignInByLink: { request: FromOrigin & { token: string }; response: SignedInMessage };
  GetSession: { request: { token: string }; response: { session?: SessionMessage | null; noSession?: object | null } };
  SignOut: { request: { token: string }; response: object };
  Rename: { request: { userId: string; name: string }; response: { user: User | null } };
  ChangePassword: {
    request: FromOrigin & { token: string; currentPassword: string; newPassword: string };
    response: object;
  };
  RequestPasswordReset: { request: FromOrigin & { email: string }; response: object };
  ResetPassword: { request: { token: string; newPassword: string }; response: object };
  ListMembers: { request: OfActor; response: { members: MemberMessage[] } };
  ChangeRole: { request: OfActor & { userId: string; role: RoleMessage }; response: { member: MemberMessage | null } };
  RemoveMember: { request: OfActor & { userId: string }; response: object };
  Invite: {
    request: OfActor & { role: RoleMessage };
    response: { invitation: InvitationMessage | null; token: string };
  };
  ListInvitations: { request: OfActor; response: { invitations: InvitationMessage[] } };
  WithdrawInvitation: { request: OfActor & { invitationId: string }; response: { withdrawn: boolean } };
  FindInvitation: {
    request: { token: string };
    response: { open?: OpenInvitationMessage | null; notValid?: object | null };
  };
  DeleteAccount: { request: OfActor & FromOrigin & { password: string }; response: object };
  MakeSetupLink: { request: object; response: LinkMessage };
  Claim: { request: { accountId: string }; response: LinkMessage };
  MakeSignInLink: { request: { email: string }; response: LinkMessage };
  MakeResetLink: { request: { email: string }; response: LinkMessage };
  ListUsers: {
    request: object;
    response: { users: { member: MemberMessage | null; account: AccountMessage | null }[] };
  };
}
export type UsersMethod = keyof UsersMethods;

const ROLES = { ROLE_OWNER: 'owner', ROLE_MEMBER: 'member' } as const;
const POLICIES = {
  SIGN_UP_POLICY_FIRST: 'first',
  SIGN_UP_POLICY_OPEN: 'open',
  SIGN_UP_POLICY_CLOSED: 'closed',
  SIGN_UP_POLICY_CONFIRM: 'confirm',
} as const;

export function roleMessage(role: MemberRole): RoleMessage {
  return role === 'owner' ? 'ROLE_OWNER' : 'ROLE_MEMBER';
}

/** @throws Error when there is none, or one that this version does not know */
export function roleFrom(message: RoleMessage): MemberRole {
  return present((ROLES as Partial<Record<RoleMessage, MemberRole>>)[message]);
}

export function policyMessage(policy: SignUpPolicy): PolicyMessage {
  return `SIGN_UP_POLICY_${policy.toUpperCase() as Uppercase<SignUpPolicy>}`;
}

/** @throws Error when there is none, or one that this version does not know */
export function policyFrom(message: PolicyMessage): SignUpPolicy {
  return present((POLICIES as Partial<Record<PolicyMessage, SignUpPolicy>>)[message]);
}

export function userFrom(message: User | null): User {
  const { id, name, email } = present(message);
  return { id, name, email };
}

export function memberMessage({ id, name, email, role, joinedAt }: Member): MemberMessage {
  return { user: { id, name, email }, role: roleMessage(role), joinedAt: timestamp(joinedAt) };
}

export function memberFrom(message: MemberMessage | null): Member {
  const { user, role, joinedAt } = present(message);
  return { ...userFrom(user), role: roleFrom(role), joinedAt: date(present(joinedAt)) };
}

export function sessionMessage({ user, account, role, expiresAt }: Session): SessionMessage {
  return { user, account: accountMessage(account), role: roleMessage(role), expiresAt: timestamp(expiresAt) };
}

export function sessionFrom(message: SessionMessage | null): Session {
  const { user, account, role, expiresAt } = present(message);
  return {
    user: userFrom(user),
    account: accountFrom(account),
    role: roleFrom(role),
    expiresAt: date(present(expiresAt)),
  };
}

export function signedInMessage({ session, token, device }: SignedIn): SignedInMessage {
  return { session: sessionMessage(session), token, device };
}

export function signedInFrom({ session, token, device }: SignedInMessage): SignedIn {
  return { session: sessionFrom(session), token, device };
}

export function invitationMessage({ id, role, createdAt, expiresAt }: Invitation): InvitationMessage {
  return { id, role: roleMessage(role), createdAt: timestamp(createdAt), expiresAt: timestamp(expiresAt) };
}

export function invitationFrom(message: InvitationMessage | null): Invitation {
  const { id, role, createdAt, expiresAt } = present(message);
  return { id, role: roleFrom(role), createdAt: date(present(createdAt)), expiresAt: date(present(expiresAt)) };
}

type OpenInvitation = NonNullable<Awaited<ReturnType<Users['findInvitation']>>>;

export function openInvitationMessage({ accountName, role, expiresAt }: OpenInvitation): OpenInvitationMessage {
  return { accountName, role: roleMessage(role), expiresAt: timestamp(expiresAt) };
}

export function openInvitationFrom({ accountName, role, expiresAt }: OpenInvitationMessage): OpenInvitation {
  return { accountName, role: roleFrom(role), expiresAt: date(present(expiresAt)) };
}

export function linkMessage({ token, expiresAt }: { token: string; expiresAt: Date }): LinkMessage {
  return { token, expiresAt: timestamp(expiresAt) };
}

export function linkFrom({ token, expiresAt }: LinkMessage): { token: string; expiresAt: Date } {
  return { token, expiresAt: date(present(expiresAt)) };
}
