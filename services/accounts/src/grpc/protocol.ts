import { ACCOUNTS_PROTO } from '@call-analytics/contracts/proto';
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import type { AccountMessage, ApiKeyMessage, CreateKeyMessage } from './messages.ts';
import type { UsersMethod } from './users/messages.ts';

// It writes lines of its own to standard error, between ours in JSON. All that they say comes with the errors too.
if (process.env.GRPC_VERBOSITY === undefined) setLogVerbosity(logVerbosity.NONE);

/** The methods of accounts.proto with their messages, as @grpc/proto-loader gives and takes them. What is not set is null. */
export interface Methods {
  Authenticate: {
    request: { apiKey: string };
    response: {
      client?: { account: AccountMessage | null; key: ApiKeyMessage | null } | null;
      refused?: object | null;
    };
  };
  CreateAccount: { request: { name: string }; response: { account: AccountMessage | null } };
  ListAccounts: { request: object; response: { accounts: AccountMessage[] } };
  CreateKey: { request: CreateKeyMessage; response: { key: ApiKeyMessage | null; secret: string } };
  ListKeys: { request: { accountId: string }; response: { keys: ApiKeyMessage[] } };
  RevokeKey: { request: { accountId: string; keyId: string }; response: { revoked: boolean } };
}
export type Method = keyof Methods;

const PACKAGE = 'call_analytics.accounts.v1';
export const SERVICE_NAME = `${PACKAGE}.Accounts`;
export const USERS_SERVICE_NAME = `${PACKAGE}.Users`;

const definitions = loadSync(ACCOUNTS_PROTO, { longs: Number, enums: String, defaults: true, oneofs: true });
type Protocol<Names extends string> = ServiceDefinition & Record<Names, MethodDefinition<object, object>>;

export const accountsProtocol = definitions[SERVICE_NAME] as Protocol<Method>;
export const usersProtocol = definitions[USERS_SERVICE_NAME] as Protocol<UsersMethod>;

/** Trailing metadata: what kind of refusal an error is, for the calling service, and until when it holds. */
export const FAILURE_CODE = 'failure-code';
export const FAILURE_UNTIL = 'failure-until';

/** A request is a few ids, a name, a password. */
export const MAX_REQUEST_BYTES = 64 * 1024;
/** Some hundred thousand accounts or keys in one list. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
