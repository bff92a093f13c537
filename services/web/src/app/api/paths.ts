import type {
  CallDetail,
  CallSearch,
  FoundCalls,
  Installation,
  Invitation,
  Key,
  Member,
  MemberRole,
  Overview,
  OverviewQuery,
  Problem,
  Session,
  SignIn,
  SignUp,
} from '@call-analytics/contracts';

type Json<T> = { content: { 'application/json': T } };
type Answers<T> = {
  responses: { 200: Json<T>; default: { content: { 'application/problem+json': Problem } } };
};
type Id = { parameters: { path: { id: string } } };

/** The addresses that the pages use, in the form of openapi-typescript. */
export interface paths {
  '/app/installation': { get: Answers<Installation> };
  '/app/session': { get: Answers<Session> };
  '/app/sign-up': { post: Answers<Session> & { requestBody: Json<SignUp> } };
  '/app/sign-in': { post: Answers<Session> & { requestBody: Json<SignIn> } };
  '/app/sign-in/link': { post: Answers<Session> & { requestBody: Json<{ token: string }> } };
  '/app/sign-out': { post: Answers<never> };
  '/app/profile': { patch: Answers<Session> & { requestBody: Json<{ name: string }> } };
  '/app/password': { post: Answers<never> & { requestBody: Json<{ currentPassword: string; newPassword: string }> } };
  '/app/password-reset/request': { post: Answers<never> & { requestBody: Json<{ email: string }> } };
  '/app/password-reset': { post: Answers<never> & { requestBody: Json<{ token: string; newPassword: string }> } };
  '/app/keys': { get: Answers<{ keys: Key[] }>; post: Answers<{ key: Key; secret: string }> & { requestBody: Json<{ name: string }> } };
  '/app/keys/{id}': { delete: Answers<never> & Id };
  '/app/members': { get: Answers<{ members: Member[] }> };
  '/app/members/{id}': { patch: Answers<Member> & Id & { requestBody: Json<{ role: MemberRole }> }; delete: Answers<never> & Id };
  '/app/invitations': {
    get: Answers<{ invitations: Invitation[] }>;
    post: Answers<{ invitation: Invitation; url: string }> & { requestBody: Json<{ role: MemberRole }> };
  };
  '/app/invitations/{id}': { delete: Answers<never> & Id };
  '/app/account': { delete: Answers<never> & { requestBody: Json<{ accountName: string; password: string }> } };
  '/app/calls': { get: Answers<FoundCalls> & { parameters: { query: CallSearch } } };
  '/app/overview': { get: Answers<Overview> & { parameters: { query: OverviewQuery } } };
  '/api/v1/calls/{id}': { get: Answers<CallDetail> & Id; delete: Answers<never> & Id };
  '/api/v1/calls/{id}/restore': { post: Answers<CallDetail> & Id };
}
