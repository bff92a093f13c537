import type { KeyScope } from '@call-analytics/contracts';
import { type Account, type ApiKey, type NewKey, OPERATOR } from '../accounts.ts';

/** google.protobuf.Timestamp */
export interface TimestampMessage {
  seconds: number;
  nanos: number;
}

export interface AccountMessage {
  id: string;
  name: string;
  createdAt: TimestampMessage | null;
}

export type KeyScopeMessage = 'KEY_SCOPE_UNSPECIFIED' | 'KEY_SCOPE_READ' | 'KEY_SCOPE_WRITE';

export interface CreateKeyMessage {
  accountId: string;
  name: string;
  scope: KeyScopeMessage;
  expiresAt: TimestampMessage | null;
  createdBy: string;
}

export interface ApiKeyMessage extends AccountMessage {
  prefix: string;
  scope: KeyScopeMessage;
  expiresAt: TimestampMessage | null;
  createdBy: string;
  lastUsedAt: TimestampMessage | null;
  revokedAt: TimestampMessage | null;
}

export function accountMessage({ id, name, createdAt }: Account): AccountMessage {
  return { id, name, createdAt: timestamp(createdAt) };
}

export function keyMessage({ id, name, prefix, scope, createdBy, ...times }: ApiKey): ApiKeyMessage {
  return {
    id,
    name,
    prefix,
    scope: scopeMessage(scope),
    createdBy: createdBy ?? '',
    createdAt: timestamp(times.createdAt),
    expiresAt: timestamp(times.expiresAt),
    lastUsedAt: timestamp(times.lastUsedAt),
    revokedAt: timestamp(times.revokedAt),
  };
}

export function newKeyMessage({
  accountId,
  name,
  scope = 'write',
  expiresAt = null,
  createdBy = OPERATOR,
}: NewKey): CreateKeyMessage {
  return { accountId, name, scope: scopeMessage(scope), expiresAt: timestamp(expiresAt), createdBy: createdBy ?? '' };
}

export function newKeyFrom({ accountId, name, scope, expiresAt, createdBy }: CreateKeyMessage): NewKey {
  return {
    accountId,
    name,
    scope: scopeFrom(scope),
    expiresAt: expiresAt && date(expiresAt),
    createdBy: createdBy || null,
  };
}

function scopeMessage(scope: KeyScope): KeyScopeMessage {
  return scope === 'read' ? 'KEY_SCOPE_READ' : 'KEY_SCOPE_WRITE';
}

/** @throws Error for a scope that this version does not know: it must not become a larger one */
function scopeFrom(message: KeyScopeMessage): KeyScope {
  if (message === 'KEY_SCOPE_READ') return 'read';
  if (message === 'KEY_SCOPE_WRITE' || message === 'KEY_SCOPE_UNSPECIFIED') return 'write';
  throw new Error(`The scope ${message} is not known.`);
}

/** @throws Error when something is missing that every account has */
export function accountFrom(message: AccountMessage | null): Account {
  const { id, name, createdAt } = present(message);
  return { id, name, createdAt: date(present(createdAt)) };
}

/** @throws Error when something is missing that every key has */
export function keyFrom(message: ApiKeyMessage | null): ApiKey {
  const { id, name, prefix, scope, createdBy, createdAt, expiresAt, lastUsedAt, revokedAt } = present(message);
  return {
    id,
    name,
    prefix,
    scope: scopeFrom(scope),
    createdBy: createdBy || null,
    createdAt: date(present(createdAt)),
    expiresAt: expiresAt && date(expiresAt),
    lastUsedAt: lastUsedAt && date(lastUsedAt),
    revokedAt: revokedAt && date(revokedAt),
  };
}

export function timestamp(time: Date | null): TimestampMessage | null {
  if (time === null) return null;
  const seconds = Math.floor(time.getTime() / 1_000);
  return { seconds, nanos: (time.getTime() - seconds * 1_000) * 1_000_000 };
}

export function date({ seconds, nanos }: TimestampMessage): Date {
  return new Date(seconds * 1_000 + Math.floor(nanos / 1_000_000));
}

/** protobuf has no required fields: everything may be missing, as far as the decoder knows. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined)
    throw new Error('The message lacks something that every message of its kind has.');
  return value;
}
