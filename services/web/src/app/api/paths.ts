import type {
  CallDetail,
  CallSearch,
  FoundCalls,
  Installation,
  Invitation,
  Key,
  Member,
  MemberRole,
  OpenInvitation,
  Overview,
  OverviewQuery,
  Problem,
  Session,
  SignIn,
  SignUp,
} from '@call-analytics/contracts';
import type { z } from 'zod';

type Json<T> = { content: { 'application/json': T } };
type Answers<T> = {
  responses: { 200: Json<T>; default: { content: { 'application/problem+json': Problem } } };
};
type Takes<T> = { requestBody: Json<T> };
type Id = { parameters: { path: { id: string } } };

/** The addresses that the pages use, in the form of openapi-typescript. */
export interface paths {
  '/app/installation': { get: Answers<Installation> };
  '/app/session': { get: Answers<Session>; post: Answers<Session> & Takes<SignIn>; delete: Answers<never> };
  '/app/session/link': { post: Answers<Session> & Takes<{ token: string }> };
  '/app/users': { post: Answers<Session> & Takes<SignUp> };
  '/app/profile': { patch: Answers<Session> & Takes<{ name: string }> };
  '/app/password': { put: Answers<never> & Takes<{ currentPassword: string; newPassword: string }> };
  '/app/password-resets': {
    post: Answers<never> & Takes<{ email: string }>;
    put: Answers<never> & Takes<{ token: string; newPassword: string }>;
  };
  '/app/keys': { get: Answers<{ keys: Key[] }>; post: Answers<{ key: Key; secret: string }> & Takes<{ name: string }> };
  '/app/keys/{id}': { delete: Answers<never> & Id };
  '/app/members': { get: Answers<{ members: Member[] }> };
  '/app/members/{id}': { patch: Answers<Member> & Id & Takes<{ role: MemberRole }>; delete: Answers<never> & Id };
  '/app/invitations': {
    get: Answers<{ invitations: Invitation[] }>;
    post: Answers<{ invitation: Invitation; url: string }> & Takes<{ role: MemberRole }>;
  };
  '/app/invitations/find': { post: Answers<z.infer<typeof OpenInvitation>> & Takes<{ token: string }> };
  '/app/invitations/{id}': { delete: Answers<never> & Id };
  '/app/account': { delete: Answers<never> & Takes<{ accountName: string; password: string }> };
  '/app/calls': { get: Answers<FoundCalls> & { parameters: { query: CallSearch } } };
  '/app/overview': { get: Answers<Overview> & { parameters: { query: OverviewQuery } } };
  '/api/v1/calls/{id}': { get: Answers<CallDetail> & Id; delete: Answers<never> & Id };
  '/api/v1/calls/{id}/restore': { post: Answers<CallDetail> & Id };
}
