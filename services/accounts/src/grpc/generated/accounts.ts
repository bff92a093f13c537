// Made from accounts.proto by "npm run proto". Do not edit.

export interface Timestamp {
  'seconds': (number);
  'nanos': (number);
}

export interface Account {
  'id': (string);
  'name': (string);
  'createdAt': (Timestamp | null);
}

export interface AccountsMethods {
  Authenticate: { request: AuthenticateRequest; response: AuthenticateResponse };
  CreateAccount: { request: CreateAccountRequest; response: CreateAccountResponse };
  CreateKey: { request: CreateKeyRequest; response: CreateKeyResponse };
  ListAccounts: { request: ListAccountsRequest; response: ListAccountsResponse };
  ListKeys: { request: ListKeysRequest; response: ListKeysResponse };
  RevokeKey: { request: RevokeKeyRequest; response: RevokeKeyResponse };
  WatchRevocations: { request: WatchRevocationsRequest; response: RevocationNotice };
}

export interface Actor {
  'userId': (string);
  'accountId': (string);
}

export interface ApiKey {
  'id': (string);
  'name': (string);
  'prefix': (string);
  'createdAt': (Timestamp | null);
  'lastUsedAt': (Timestamp | null);
  'revokedAt': (Timestamp | null);
  'scope': (KeyScope);
  'expiresAt': (Timestamp | null);
  'createdBy': (string);
}

export interface AuthenticateRequest {
  'apiKey': (string);
}

export interface AuthenticateResponse {
  'client'?: (Client | null);
  'refused'?: (Refused | null);
  'outcome'?: "client"|"refused";
}

export interface ChangePasswordRequest {
  'token': (string);
  'currentPassword': (string);
  'newPassword': (string);
  'origin': (Origin | null);
}

export interface ChangePasswordResponse {
}

export interface ChangeRoleRequest {
  'actor': (Actor | null);
  'userId': (string);
  'role': (Role);
}

export interface ChangeRoleResponse {
  'member': (Member | null);
}

export interface ClaimRequest {
  'accountId': (string);
}

export interface Client {
  'account': (Account | null);
  'key': (ApiKey | null);
}

export interface CreateAccountRequest {
  'name': (string);
}

export interface CreateAccountResponse {
  'account': (Account | null);
}

export interface CreateKeyRequest {
  'accountId': (string);
  'name': (string);
  'scope': (KeyScope);
  'expiresAt': (Timestamp | null);
  'createdBy': (string);
}

export interface CreateKeyResponse {
  'key': (ApiKey | null);
  'secret': (string);
}

export interface DeleteAccountRequest {
  'actor': (Actor | null);
  'password': (string);
  'origin': (Origin | null);
}

export interface DeleteAccountResponse {
}

export interface FindInvitationRequest {
  'token': (string);
}

export interface FindInvitationResponse {
  'open'?: (OpenInvitation | null);
  'notValid'?: (NotValid | null);
  'outcome'?: "open"|"notValid";
}

export interface GetInstallationRequest {
}

export interface GetInstallationResponse {
  'signUp': (SignUpPolicy);
  'resetByMail': (boolean);
}

export interface GetSessionRequest {
  'token': (string);
}

export interface GetSessionResponse {
  'session'?: (Session | null);
  'noSession'?: (NoSession | null);
  'outcome'?: "session"|"noSession";
}

export interface Invitation {
  'id': (string);
  'role': (Role);
  'createdAt': (Timestamp | null);
  'expiresAt': (Timestamp | null);
}

export interface InviteRequest {
  'actor': (Actor | null);
  'role': (Role);
}

export interface InviteResponse {
  'invitation': (Invitation | null);
  'token': (string);
}

export const KeyScope = {
  KEY_SCOPE_UNSPECIFIED: 'KEY_SCOPE_UNSPECIFIED',
  KEY_SCOPE_READ: 'KEY_SCOPE_READ',
  KEY_SCOPE_WRITE: 'KEY_SCOPE_WRITE',
} as const;
export type KeyScope = typeof KeyScope[keyof typeof KeyScope]

export interface LinkResponse {
  'token': (string);
  'expiresAt': (Timestamp | null);
}

export interface ListAccountsRequest {
}

export interface ListAccountsResponse {
  'accounts': (Account)[];
}

export interface ListInvitationsRequest {
  'actor': (Actor | null);
}

export interface ListInvitationsResponse {
  'invitations': (Invitation)[];
}

export interface ListKeysRequest {
  'accountId': (string);
}

export interface ListKeysResponse {
  'keys': (ApiKey)[];
}

export interface ListMembersRequest {
  'actor': (Actor | null);
}

export interface ListMembersResponse {
  'members': (Member)[];
}

export interface ListUsersRequest {
}

export interface ListUsersResponse {
  'users': (MemberOfAccount)[];
}

export interface MakeResetLinkRequest {
  'email': (string);
}

export interface MakeSetupLinkRequest {
}

export interface MakeSignInLinkRequest {
  'email': (string);
}

export interface Member {
  'user': (User | null);
  'role': (Role);
  'joinedAt': (Timestamp | null);
}

export interface MemberOfAccount {
  'member': (Member | null);
  'account': (Account | null);
}

export interface NoSession {
}

export interface NotValid {
}

export interface OpenInvitation {
  'accountName': (string);
  'role': (Role);
  'expiresAt': (Timestamp | null);
}

export interface Origin {
  'ip': (string);
  'userAgent': (string);
  'device'?: (string);
  'local': (boolean);
  '_device'?: "device";
}

export interface Refused {
}

export interface RemoveMemberRequest {
  'actor': (Actor | null);
  'userId': (string);
}

export interface RemoveMemberResponse {
}

export interface RenameRequest {
  'userId': (string);
  'name': (string);
}

export interface RenameResponse {
  'user': (User | null);
}

export interface RequestPasswordResetRequest {
  'email': (string);
  'origin': (Origin | null);
}

export interface RequestPasswordResetResponse {
}

export interface RequestSignUpRequest {
  'email': (string);
  'origin': (Origin | null);
}

export interface RequestSignUpResponse {
}

export interface ResetPasswordRequest {
  'token': (string);
  'newPassword': (string);
}

export interface ResetPasswordResponse {
}

export interface RevocationNotice {
}

export interface RevokeKeyRequest {
  'accountId': (string);
  'keyId': (string);
}

export interface RevokeKeyResponse {
  'revoked': (boolean);
}

export const Role = {
  ROLE_UNSPECIFIED: 'ROLE_UNSPECIFIED',
  ROLE_OWNER: 'ROLE_OWNER',
  ROLE_MEMBER: 'ROLE_MEMBER',
} as const;
export type Role = typeof Role[keyof typeof Role]

export interface Session {
  'user': (User | null);
  'account': (Account | null);
  'role': (Role);
  'expiresAt': (Timestamp | null);
}

export interface SignInByLinkRequest {
  'token': (string);
  'origin': (Origin | null);
}

export interface SignInRequest {
  'email': (string);
  'password': (string);
  'origin': (Origin | null);
}

export interface SignOutRequest {
  'token': (string);
}

export interface SignOutResponse {
}

export const SignUpPolicy = {
  SIGN_UP_POLICY_UNSPECIFIED: 'SIGN_UP_POLICY_UNSPECIFIED',
  SIGN_UP_POLICY_FIRST: 'SIGN_UP_POLICY_FIRST',
  SIGN_UP_POLICY_OPEN: 'SIGN_UP_POLICY_OPEN',
  SIGN_UP_POLICY_CLOSED: 'SIGN_UP_POLICY_CLOSED',
  SIGN_UP_POLICY_CONFIRM: 'SIGN_UP_POLICY_CONFIRM',
} as const;
export type SignUpPolicy = typeof SignUpPolicy[keyof typeof SignUpPolicy]

export interface SignUpRequest {
  'name': (string);
  'email': (string);
  'password': (string);
  'accountName'?: (string);
  'invitation'?: (string);
  'origin': (Origin | null);
  'link'?: (string);
  '_accountName'?: "accountName";
  '_invitation'?: "invitation";
  '_link'?: "link";
}

export interface SignedInResponse {
  'session': (Session | null);
  'token': (string);
  'device': (string);
}

export interface User {
  'id': (string);
  'name': (string);
  'email': (string);
}

export interface UsersMethods {
  ChangePassword: { request: ChangePasswordRequest; response: ChangePasswordResponse };
  ChangeRole: { request: ChangeRoleRequest; response: ChangeRoleResponse };
  Claim: { request: ClaimRequest; response: LinkResponse };
  DeleteAccount: { request: DeleteAccountRequest; response: DeleteAccountResponse };
  FindInvitation: { request: FindInvitationRequest; response: FindInvitationResponse };
  GetInstallation: { request: GetInstallationRequest; response: GetInstallationResponse };
  GetSession: { request: GetSessionRequest; response: GetSessionResponse };
  Invite: { request: InviteRequest; response: InviteResponse };
  ListInvitations: { request: ListInvitationsRequest; response: ListInvitationsResponse };
  ListMembers: { request: ListMembersRequest; response: ListMembersResponse };
  ListUsers: { request: ListUsersRequest; response: ListUsersResponse };
  MakeResetLink: { request: MakeResetLinkRequest; response: LinkResponse };
  MakeSetupLink: { request: MakeSetupLinkRequest; response: LinkResponse };
  MakeSignInLink: { request: MakeSignInLinkRequest; response: LinkResponse };
  RemoveMember: { request: RemoveMemberRequest; response: RemoveMemberResponse };
  Rename: { request: RenameRequest; response: RenameResponse };
  RequestPasswordReset: { request: RequestPasswordResetRequest; response: RequestPasswordResetResponse };
  RequestSignUp: { request: RequestSignUpRequest; response: RequestSignUpResponse };
  ResetPassword: { request: ResetPasswordRequest; response: ResetPasswordResponse };
  SignIn: { request: SignInRequest; response: SignedInResponse };
  SignInByLink: { request: SignInByLinkRequest; response: SignedInResponse };
  SignOut: { request: SignOutRequest; response: SignOutResponse };
  SignUp: { request: SignUpRequest; response: SignedInResponse };
  WithdrawInvitation: { request: WithdrawInvitationRequest; response: WithdrawInvitationResponse };
}

export interface WatchRevocationsRequest {
}

export interface WithdrawInvitationRequest {
  'actor': (Actor | null);
  'invitationId': (string);
}

export interface WithdrawInvitationResponse {
  'withdrawn': (boolean);
}
