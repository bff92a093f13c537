import type { Account, ApiKey } from '../accounts.ts';

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

export interface ApiKeyMessage extends AccountMessage {
  prefix: string;
  lastUsedAt: TimestampMessage | null;
  revokedAt: TimestampMessage | null;
}

export function accountMessage({ id, name, createdAt }: Account): AccountMessage {
  return { id, name, createdAt: timestamp(createdAt) };
}

export function keyMessage({ id, name, prefix, createdAt, lastUsedAt, revokedAt }: ApiKey): ApiKeyMessage {
  return { id, name, prefix, createdAt: timestamp(createdAt), lastUsedAt: timestamp(lastUsedAt), revokedAt: timestamp(revokedAt) };
}

/** @throws Error when something is missing that every account has */
export function accountFrom(message: AccountMessage | null): Account {
  const { id, name, createdAt } = present(message);
  return { id, name, createdAt: date(present(createdAt)) };
}

/** @throws Error when something is missing that every key has */
export function keyFrom(message: ApiKeyMessage | null): ApiKey {
  const { id, name, prefix, createdAt, lastUsedAt, revokedAt } = present(message);
  return {
    id,
    name,
    prefix,
    createdAt: date(present(createdAt)),
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
  if (value === null || value === undefined) throw new Error('The message lacks something that every message of its kind has.');
  return value;
}
