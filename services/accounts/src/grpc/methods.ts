import type { MemberRole } from '@call-analytics/contracts';
import { type Account, type Accounts, type ApiKey, type NewKey, OPERATOR } from '../accounts.ts';
import type { Actor, Invitation, Member, Origin, Session, SignedIn, SignUpPolicy, User, Users } from '../users.ts';
import type * as Sent from './generated/accounts.ts';

// The methods of accounts.proto, each with its request and response: what the client sends and the server answers.

/** Between a value and its message. `from` throws when the message lacks what every message of its kind has. */
interface Codec<Value, Message> {
  to(value: Value): Message;
  from(message: Message): Value;
}

type Calls<Port> = Exclude<keyof Port, 'ready' | 'close'>;
type Method = (request: never) => Promise<unknown>;
type RequestOf<Call> = Call extends (request: infer Request) => unknown ? Request : never;
type ResponseOf<Call> = Call extends Method ? Awaited<ReturnType<Call>> : never;

type Row<Call, Methods> = {
  [Name in keyof Methods]: Methods[Name] extends { request: infer Request; response: infer Response }
    ? {
        rpc: Name;
        request: Codec<RequestOf<Call>, Request>;
        response: Codec<ResponseOf<Call>, Response>;
        /** Afterwards API keys may have been revoked, also when it failed. */
        revokesKeys?: true;
      }
    : never;
}[keyof Methods];

type Table<Port, Methods> = { readonly [Name in Calls<Port>]: Row<Port[Name], Methods> };

/** A row of a table whose types do not matter any more. */
export interface AnyRow {
  rpc: string;
  request: Codec<unknown, object>;
  response: Codec<unknown, object>;
  revokesKeys?: true;
}

const asIs = { to: <Value>(value: Value) => value, from: <Message>(message: Message) => message };
const nothing = { to: () => ({}), from: () => undefined };

/** @throws Error when a field that every message has is not set: protobuf has no required fields */
function required<Value>(value: Value | null | undefined): Value {
  if (value !== null && value !== undefined) return value;
  throw new Error('The message lacks a field that every message of its kind has.');
}

const time = {
  to(date: Date): Sent.Timestamp {
    const seconds = Math.floor(date.getTime() / 1_000);
    return { seconds, nanos: (date.getTime() - seconds * 1_000) * 1_000_000 };
  },
  from(message: Sent.Timestamp | null): Date {
    const { seconds, nanos } = required(message);
    return new Date(seconds * 1_000 + Math.floor(nanos / 1_000_000));
  },
};
const timeOrNull = {
  to: (date: Date | null) => date && time.to(date),
  from: (message: Sent.Timestamp | null) => message && time.from(message),
};

/** Both ways between the names of an enum here and in the .proto. A name that this version does not know is an error. */
function enumCodec<Value extends string, Message extends string>(names: Record<Value, Message>): Codec<Value, Message> {
  const values = new Map(Object.entries(names).map(([value, name]) => [name, value as Value]));
  return { to: (value) => names[value], from: (message) => required(values.get(message)) };
}

const role = enumCodec<MemberRole, Sent.Role>({ owner: 'ROLE_OWNER', member: 'ROLE_MEMBER' });
const scope = enumCodec<ApiKey['scope'], Sent.KeyScope>({ read: 'KEY_SCOPE_READ', write: 'KEY_SCOPE_WRITE' });
/** Versions without scopes send none. */
const scopeFrom = (message: Sent.KeyScope) => (message === 'KEY_SCOPE_UNSPECIFIED' ? 'write' : scope.from(message));
const policy = enumCodec<SignUpPolicy, Sent.SignUpPolicy>({
  first: 'SIGN_UP_POLICY_FIRST',
  open: 'SIGN_UP_POLICY_OPEN',
  closed: 'SIGN_UP_POLICY_CLOSED',
  confirm: 'SIGN_UP_POLICY_CONFIRM',
});

const account = {
  to: ({ id, name, createdAt }: Account): Sent.Account => ({ id, name, createdAt: time.to(createdAt) }),
  from(message: Sent.Account | null): Account {
    const { id, name, createdAt } = required(message);
    return { id, name, createdAt: time.from(createdAt) };
  },
};

const apiKey = {
  to: ({ id, name, prefix, ...key }: ApiKey): Sent.ApiKey => ({
    ...{ id, name, prefix, scope: scope.to(key.scope), createdBy: key.createdBy ?? '' },
    createdAt: time.to(key.createdAt),
    expiresAt: timeOrNull.to(key.expiresAt),
    lastUsedAt: timeOrNull.to(key.lastUsedAt),
    revokedAt: timeOrNull.to(key.revokedAt),
  }),
  from(message: Sent.ApiKey | null): ApiKey {
    const { id, name, prefix, ...key } = required(message);
    return {
      ...{ id, name, prefix, scope: scopeFrom(key.scope), createdBy: key.createdBy || null },
      createdAt: time.from(key.createdAt),
      expiresAt: timeOrNull.from(key.expiresAt),
      lastUsedAt: timeOrNull.from(key.lastUsedAt),
      revokedAt: timeOrNull.from(key.revokedAt),
    };
  },
};

const newKey: Codec<NewKey, Sent.CreateKeyRequest> = {
  to: ({ accountId, name, createdBy = OPERATOR, ...key }) => ({
    ...{ accountId, name, createdBy: createdBy ?? '' },
    ...{ scope: scope.to(key.scope ?? 'write'), expiresAt: timeOrNull.to(key.expiresAt ?? null) },
  }),
  from: ({ accountId, name, createdBy, ...key }) => ({
    ...{ accountId, name, createdBy: createdBy || null },
    ...{ scope: scopeFrom(key.scope), expiresAt: timeOrNull.from(key.expiresAt) },
  }),
};

export const ACCOUNTS_METHODS: Table<Accounts, Sent.AccountsMethods> = {
  authenticate: {
    rpc: 'Authenticate',
    request: asIs,
    response: {
      to: (client) =>
        client === null
          ? { refused: {} }
          : { client: { account: account.to(client.account), key: apiKey.to(client.key) } },
      from({ client, refused }) {
        if (client) return { account: account.from(client.account), key: apiKey.from(client.key) };
        required(refused);
        return null;
      },
    },
  },
  createAccount: {
    rpc: 'CreateAccount',
    request: asIs,
    response: {
      to: (created) => ({ account: account.to(created.account) }),
      from: (message) => ({ account: account.from(message.account) }),
    },
  },
  listAccounts: {
    rpc: 'ListAccounts',
    request: nothing,
    response: {
      to: ({ accounts }) => ({ accounts: accounts.map(account.to) }),
      from: ({ accounts }) => ({ accounts: accounts.map(account.from) }),
    },
  },
  createKey: {
    rpc: 'CreateKey',
    request: newKey,
    response: {
      to: ({ key, secret }) => ({ key: apiKey.to(key), secret }),
      from: ({ key, secret }) => ({ key: apiKey.from(key), secret }),
    },
  },
  listKeys: {
    rpc: 'ListKeys',
    request: asIs,
    response: {
      to: ({ keys }) => ({ keys: keys.map(apiKey.to) }),
      from: ({ keys }) => ({ keys: keys.map(apiKey.from) }),
    },
  },
  revokeKey: { rpc: 'RevokeKey', request: asIs, response: asIs, revokesKeys: true },
};

const ofActor = {
  to: <Value extends { actor: Actor }>(value: Value) => value,
  from: <Message extends { actor: Sent.Actor | null }>({ actor, ...rest }: Message) => ({
    ...rest,
    actor: required(actor),
  }),
};

const withOrigin = {
  to: <Value extends { origin: Origin }>({ origin, ...rest }: Value) => ({
    ...rest,
    origin: { ...origin, local: origin.local === true },
  }),
  from: <Message extends { origin: Sent.Origin | null }>({ origin, ...rest }: Message) => ({
    ...rest,
    origin: required(origin),
  }),
};

const user = {
  to: ({ id, name, email }: User): Sent.User => ({ id, name, email }),
  from(message: Sent.User | null): User {
    const { id, name, email } = required(message);
    return { id, name, email };
  },
};

const member = {
  to: ({ joinedAt, ...of }: Member): Sent.Member => ({
    ...{ user: user.to(of), role: role.to(of.role), joinedAt: time.to(joinedAt) },
  }),
  from(message: Sent.Member | null): Member {
    const { joinedAt, ...of } = required(message);
    return { ...user.from(of.user), role: role.from(of.role), joinedAt: time.from(joinedAt) };
  },
};

const session = {
  to: ({ expiresAt, ...of }: Session): Sent.Session => ({
    ...{ user: user.to(of.user), account: account.to(of.account) },
    ...{ role: role.to(of.role), expiresAt: time.to(expiresAt) },
  }),
  from(message: Sent.Session | null): Session {
    const { expiresAt, ...of } = required(message);
    return {
      ...{ user: user.from(of.user), account: account.from(of.account) },
      ...{ role: role.from(of.role), expiresAt: time.from(expiresAt) },
    };
  },
};

const signedIn: Codec<SignedIn, Sent.SignedInResponse> = {
  to: ({ token, device, ...of }) => ({ token, device, session: session.to(of.session) }),
  from: ({ token, device, ...of }) => ({ token, device, session: session.from(of.session) }),
};

const invitation = {
  to: ({ id, createdAt, expiresAt, ...of }: Invitation): Sent.Invitation => ({
    ...{ id, role: role.to(of.role), createdAt: time.to(createdAt), expiresAt: time.to(expiresAt) },
  }),
  from(message: Sent.Invitation | null): Invitation {
    const { id, createdAt, expiresAt, ...of } = required(message);
    return { id, role: role.from(of.role), createdAt: time.from(createdAt), expiresAt: time.from(expiresAt) };
  },
};

const link: Codec<{ token: string; expiresAt: Date }, Sent.LinkResponse> = {
  to: ({ token, expiresAt }) => ({ token, expiresAt: time.to(expiresAt) }),
  from: ({ token, expiresAt }) => ({ token, expiresAt: time.from(expiresAt) }),
};

export const USERS_METHODS: Table<Users, Sent.UsersMethods> = {
  installation: {
    rpc: 'GetInstallation',
    request: nothing,
    response: {
      to: ({ signUp, resetByMail }) => ({ signUp: policy.to(signUp), resetByMail }),
      from: ({ signUp, resetByMail }) => ({ signUp: policy.from(signUp), resetByMail }),
    },
  },
  signUp: { rpc: 'SignUp', request: withOrigin, response: signedIn },
  requestSignUp: { rpc: 'RequestSignUp', request: withOrigin, response: nothing },
  signIn: { rpc: 'SignIn', request: withOrigin, response: signedIn },
  signInByLink: { rpc: 'SignInByLink', request: withOrigin, response: signedIn },
  session: {
    rpc: 'GetSession',
    request: asIs,
    response: {
      to: (found) => (found === null ? { noSession: {} } : { session: session.to(found) }),
      from(message) {
        if (message.session) return session.from(message.session);
        required(message.noSession);
        return null;
      },
    },
  },
  signOut: { rpc: 'SignOut', request: asIs, response: nothing },
  rename: {
    rpc: 'Rename',
    request: asIs,
    response: {
      to: (renamed) => ({ user: user.to(renamed.user) }),
      from: (message) => ({ user: user.from(message.user) }),
    },
  },
  changePassword: { rpc: 'ChangePassword', request: withOrigin, response: nothing },
  requestPasswordReset: { rpc: 'RequestPasswordReset', request: withOrigin, response: nothing },
  resetPassword: { rpc: 'ResetPassword', request: asIs, response: nothing, revokesKeys: true },
  listMembers: {
    rpc: 'ListMembers',
    request: ofActor,
    response: {
      to: ({ members }) => ({ members: members.map(member.to) }),
      from: ({ members }) => ({ members: members.map(member.from) }),
    },
  },
  changeRole: {
    rpc: 'ChangeRole',
    request: {
      to: (change) => ({ ...change, role: role.to(change.role) }),
      from: (message) => ({ ...ofActor.from(message), role: role.from(message.role) }),
    },
    response: {
      to: (changed) => ({ member: member.to(changed.member) }),
      from: (message) => ({ member: member.from(message.member) }),
    },
  },
  removeMember: { rpc: 'RemoveMember', request: ofActor, response: nothing, revokesKeys: true },
  invite: {
    rpc: 'Invite',
    request: {
      to: (invite) => ({ ...invite, role: role.to(invite.role) }),
      from: (message) => ({ ...ofActor.from(message), role: role.from(message.role) }),
    },
    response: {
      to: ({ token, ...made }) => ({ token, invitation: invitation.to(made.invitation) }),
      from: ({ token, ...made }) => ({ token, invitation: invitation.from(made.invitation) }),
    },
  },
  listInvitations: {
    rpc: 'ListInvitations',
    request: ofActor,
    response: {
      to: ({ invitations }) => ({ invitations: invitations.map(invitation.to) }),
      from: ({ invitations }) => ({ invitations: invitations.map(invitation.from) }),
    },
  },
  withdrawInvitation: { rpc: 'WithdrawInvitation', request: ofActor, response: asIs },
  findInvitation: {
    rpc: 'FindInvitation',
    request: asIs,
    response: {
      to(found) {
        if (found === null) return { notValid: {} };
        const { accountName, expiresAt } = found;
        return { open: { accountName, role: role.to(found.role), expiresAt: time.to(expiresAt) } };
      },
      from({ open, notValid }) {
        if (open) {
          const { accountName, expiresAt } = open;
          return { accountName, role: role.from(open.role), expiresAt: time.from(expiresAt) };
        }
        required(notValid);
        return null;
      },
    },
  },
  deleteAccount: {
    rpc: 'DeleteAccount',
    request: { to: withOrigin.to, from: (message) => withOrigin.from(ofActor.from(message)) },
    response: nothing,
    revokesKeys: true,
  },
  makeSetupLink: { rpc: 'MakeSetupLink', request: nothing, response: link },
  claim: { rpc: 'Claim', request: asIs, response: link },
  makeSignInLink: { rpc: 'MakeSignInLink', request: asIs, response: link },
  makeResetLink: { rpc: 'MakeResetLink', request: asIs, response: link },
  listUsers: {
    rpc: 'ListUsers',
    request: nothing,
    response: {
      to: ({ users }) => ({ users: users.map((of) => ({ member: member.to(of), account: account.to(of.account) })) }),
      from: ({ users }) => ({
        users: users.map((of) => ({ ...member.from(of.member), account: account.from(of.account) })),
      }),
    },
  },
};
