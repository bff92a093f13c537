import type { MemberRole } from '@call-analytics/contracts';
import {
  type Account,
  type Accounts,
  type Actor,
  type ApiKey,
  type Invitation,
  type Member,
  type NewKey,
  OPERATOR,
  type Origin,
  type Session,
  type SignedIn,
  type SignUpPolicy,
  type User,
  type Users,
} from '../accounts.ts';
import type * as Sent from './generated/accounts.ts';

// The methods of accounts.proto, each with its request and response: what the client sends and the server answers.

/** Between a value and its message. `from` throws when the message lacks what every message of its kind has. */
interface Codec<Value, Message> {
  to(value: Value): Message;
  from(message: Message | null | undefined): Value;
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

/** @throws Error when a field that every message has is not set: protobuf has no required fields */
function required<Value>(value: Value | null | undefined): Value {
  if (value !== null && value !== undefined) return value;
  throw new Error('The message lacks a field that every message of its kind has.');
}

const asIs = { to: <Value>(value: Value) => value, from: required };
const nothing = { to: () => ({}), from: () => undefined };

type Same<A, B> = [A, B] extends [B, A] ? true : false;
/** Fields that are the same in both need no codec. */
type FieldCodecs<Value, Message> = {
  [Name in keyof Value & keyof Message as Same<Value[Name], Message[Name]> extends true ? never : Name]:
    | Codec<Value[Name], Message[Name]>
    | Codec<Value[Name], NonNullable<Message[Name]>>;
};

/** Converts the fields that have a codec, and takes the others as they are. */
function shape<Value extends object, Message extends object>(
  codecs: FieldCodecs<Value, Message>,
): Codec<Value, Message> {
  const fields = Object.entries<Codec<unknown, unknown>>(codecs);
  const converted = (of: object, way: 'to' | 'from') =>
    fields.map(([name, codec]) => [name, codec[way]((of as Record<string, unknown>)[name])]);
  return {
    to: (value) => ({ ...value, ...Object.fromEntries(converted(value, 'to')) }) as unknown as Message,
    from(message) {
      const known = required(message);
      return { ...known, ...Object.fromEntries(converted(known, 'from')) } as unknown as Value;
    },
  };
}

function list<Value, Message>(codec: Codec<Value, Message>): Codec<Value[], Message[]> {
  return { to: (values) => values.map(codec.to), from: (messages) => required(messages).map(codec.from) };
}

/** A message that holds one of two others: the value, or an empty one for null. */
function orNull<Some extends string, None extends string, Value, Message>(
  some: Some,
  none: None,
  codec: Codec<Value, Message>,
): Codec<Value | null, { [Name in Some]?: Message | null } & { [Name in None]?: object | null }> {
  type Either = { [Name in Some]?: Message | null } & { [Name in None]?: object | null };
  return {
    to: (value) => (value === null ? { [none]: {} } : { [some]: codec.to(value) }) as Either,
    from(message) {
      const known = required(message);
      if (known[some]) return codec.from(known[some]);
      required(known[none]);
      return null;
    },
  };
}

const time: Codec<Date, Sent.Timestamp> = {
  to(date) {
    const seconds = Math.floor(date.getTime() / 1_000);
    return { seconds, nanos: (date.getTime() - seconds * 1_000) * 1_000_000 };
  },
  from(message) {
    const { seconds, nanos } = required(message);
    return new Date(seconds * 1_000 + Math.floor(nanos / 1_000_000));
  },
};
const timeOrNull: Codec<Date | null, Sent.Timestamp | null> = {
  to: (date) => date && time.to(date),
  from: (message) => (message ? time.from(message) : null),
};
/** protobuf has no null in a string. */
const textOrNull: Codec<string | null, string> = { to: (text) => text ?? '', from: (text) => text || null };

/**
 * Both ways between the names of an enum here and in the .proto. A name that this version does not know is an error.
 */
function enumCodec<Value extends string, Message extends string>(names: Record<Value, Message>): Codec<Value, Message> {
  const values = new Map(Object.entries(names).map(([value, name]) => [name, value as Value]));
  return { to: (value) => names[value], from: (message) => required(values.get(message)) };
}

const role = enumCodec<MemberRole, Sent.Role>({ owner: 'ROLE_OWNER', member: 'ROLE_MEMBER' });
const knownScope = enumCodec<ApiKey['scope'], Sent.KeyScope>({ read: 'KEY_SCOPE_READ', write: 'KEY_SCOPE_WRITE' });
const scope: typeof knownScope = {
  to: knownScope.to,
  /** Versions without scopes send none. */
  from: (message) => (message === 'KEY_SCOPE_UNSPECIFIED' ? 'write' : knownScope.from(message)),
};
const policy = enumCodec<SignUpPolicy, Sent.SignUpPolicy>({
  first: 'SIGN_UP_POLICY_FIRST',
  open: 'SIGN_UP_POLICY_OPEN',
  closed: 'SIGN_UP_POLICY_CLOSED',
  confirm: 'SIGN_UP_POLICY_CONFIRM',
});

const account = shape<Account, Sent.Account>({ createdAt: time });
const apiKey = shape<ApiKey, Sent.ApiKey>({
  scope,
  createdBy: textOrNull,
  createdAt: time,
  expiresAt: timeOrNull,
  lastUsedAt: timeOrNull,
  revokedAt: timeOrNull,
});
const filledKey = shape<Required<NewKey>, Sent.CreateKeyRequest>({
  scope,
  createdBy: textOrNull,
  expiresAt: timeOrNull,
});
const newKey: Codec<NewKey, Sent.CreateKeyRequest> = {
  to: ({ scope = 'write', expiresAt = null, createdBy = OPERATOR, ...key }) =>
    filledKey.to({ ...key, scope, expiresAt, createdBy }),
  from: filledKey.from,
};

export const ACCOUNTS_METHODS: Table<Accounts, Sent.AccountsMethods> = {
  authenticate: {
    rpc: 'Authenticate',
    request: asIs,
    response: orNull(
      'client',
      'refused',
      shape<{ account: Account; key: ApiKey }, Sent.Client>({ account, key: apiKey }),
    ),
  },
  createAccount: { rpc: 'CreateAccount', request: asIs, response: shape({ account }) },
  listAccounts: { rpc: 'ListAccounts', request: nothing, response: shape({ accounts: list(account) }) },
  createKey: { rpc: 'CreateKey', request: newKey, response: shape({ key: apiKey }) },
  listKeys: { rpc: 'ListKeys', request: asIs, response: shape({ keys: list(apiKey) }) },
  revokeKey: { rpc: 'RevokeKey', request: asIs, response: asIs, revokesKeys: true },
};

const actor: Codec<Actor, Sent.Actor> = asIs;
const origin: Codec<Origin, Sent.Origin> = {
  to: (origin) => ({ ...origin, local: origin.local === true }),
  from: required,
};
const user: Codec<User, Sent.User> = { to: ({ id, name, email }) => ({ id, name, email }), from: required };
const member: Codec<Member, Sent.Member> = {
  to: ({ joinedAt, ...of }) => ({ user: user.to(of), role: role.to(of.role), joinedAt: time.to(joinedAt) }),
  from(message) {
    const { joinedAt, ...of } = required(message);
    return { ...user.from(of.user), role: role.from(of.role), joinedAt: time.from(joinedAt) };
  },
};
const session = shape<Session, Sent.Session>({ user, account, role, expiresAt: time });
const signedIn = shape<SignedIn, Sent.SignedInResponse>({ session });
const invitation = shape<Invitation, Sent.Invitation>({ role, createdAt: time, expiresAt: time });
const link = shape<{ token: string; expiresAt: Date }, Sent.LinkResponse>({ expiresAt: time });
type PendingInvitation = { accountName: string; role: MemberRole; expiresAt: Date };
const pendingInvitation = shape<PendingInvitation, Sent.PendingInvitation>({ role, expiresAt: time });
const userOfAccount: Codec<Member & { account: Account }, Sent.MemberOfAccount> = {
  to: (of) => ({ member: member.to(of), account: account.to(of.account) }),
  from(message) {
    const of = required(message);
    return { ...member.from(of.member), account: account.from(of.account) };
  },
};

export const USERS_METHODS: Table<Users, Sent.UsersMethods> = {
  installation: { rpc: 'GetInstallation', request: nothing, response: shape({ signUp: policy }) },
  signUp: { rpc: 'SignUp', request: shape({ origin }), response: signedIn },
  requestSignUp: { rpc: 'RequestSignUp', request: shape({ origin }), response: nothing },
  signIn: { rpc: 'SignIn', request: shape({ origin }), response: signedIn },
  signInByLink: { rpc: 'SignInByLink', request: shape({ origin }), response: signedIn },
  session: { rpc: 'GetSession', request: asIs, response: orNull('session', 'noSession', session) },
  signOut: { rpc: 'SignOut', request: asIs, response: nothing },
  rename: { rpc: 'Rename', request: asIs, response: shape({ user }) },
  changePassword: { rpc: 'ChangePassword', request: shape({ origin }), response: nothing },
  requestPasswordReset: { rpc: 'RequestPasswordReset', request: shape({ origin }), response: nothing },
  resetPassword: { rpc: 'ResetPassword', request: asIs, response: nothing, revokesKeys: true },
  listMembers: { rpc: 'ListMembers', request: shape({ actor }), response: shape({ members: list(member) }) },
  changeRole: { rpc: 'ChangeRole', request: shape({ actor, role }), response: shape({ member }) },
  removeMember: { rpc: 'RemoveMember', request: shape({ actor }), response: nothing, revokesKeys: true },
  invite: { rpc: 'Invite', request: shape({ actor, role }), response: shape({ invitation }) },
  listInvitations: {
    rpc: 'ListInvitations',
    request: shape({ actor }),
    response: shape({ invitations: list(invitation) }),
  },
  revokeInvitation: { rpc: 'WithdrawInvitation', request: shape({ actor }), response: asIs },
  findInvitation: { rpc: 'FindInvitation', request: asIs, response: orNull('pending', 'notValid', pendingInvitation) },
  confirmOwner: { rpc: 'ConfirmOwner', request: shape({ actor }), response: nothing },
  deleteAccount: { rpc: 'DeleteAccount', request: shape({ actor }), response: nothing, revokesKeys: true },
  makeSetupLink: { rpc: 'MakeSetupLink', request: nothing, response: link },
  claim: { rpc: 'Claim', request: asIs, response: link },
  makeSignInLink: { rpc: 'MakeSignInLink', request: asIs, response: link },
  makeResetLink: { rpc: 'MakeResetLink', request: asIs, response: link },
  listUsers: { rpc: 'ListUsers', request: nothing, response: shape({ users: list(userOfAccount) }) },
};
