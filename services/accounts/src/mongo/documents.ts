import type { KeyScope } from '@call-analytics/contracts';
import { type Connection, Schema } from 'mongoose';
import type { Account, ApiKey } from '../accounts.ts';

export interface AccountDocument {
  _id: string;
  name: string;
  createdAt: Date;
}

export interface KeyDocument {
  _id: string;
  /** SHA-256 of the secret, in hex. */
  hash: string;
  accountId: string;
  name: string;
  prefix: string;
  /** Missing in documents of earlier versions, as the two below. */
  scope?: KeyScope;
  createdBy?: string | null;
  expiresAt?: Date | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;
const timeOrNull = { type: Date, default: null } as const;
// Indexes are made once, by `makeIndexes`, before anything is asked; documents have no `__v`, since nothing is changed by reading and saving.
const options = { autoIndex: false, autoCreate: false, versionKey: false } as const;

/** Each index with the question it serves. The names of fields and indexes stay: other versions of this program read the same data. */
const accountSchema = new Schema<AccountDocument>(
  { _id: text, name: text, createdAt: time },
  { ...options, collection: 'accounts' },
)
  // listAccounts
  .index({ createdAt: 1, _id: 1 }, { name: 'oldest_first' });

const keySchema = new Schema<KeyDocument>(
  {
    _id: text,
    hash: text,
    accountId: text,
    name: text,
    prefix: text,
    scope: { type: String },
    createdBy: { type: String, default: null },
    createdAt: time,
    expiresAt: timeOrNull,
    lastUsedAt: timeOrNull,
    revokedAt: timeOrNull,
  },
  { ...options, collection: 'api_keys' },
)
  // authenticate
  .index({ hash: 1 }, { name: 'hash', unique: true })
  // listKeys
  .index({ accountId: 1, createdAt: 1, _id: 1 }, { name: 'of_account_oldest_first' })
  // removeMember, resetPassword
  .index({ createdBy: 1 }, { name: 'of_creator' });

export function modelsOf(connection: Connection) {
  return { accounts: connection.model('Account', accountSchema), keys: connection.model('ApiKey', keySchema) };
}
export type Models = ReturnType<typeof modelsOf>;

/** Makes what is missing. An index that is there already, as declared, costs nothing. */
export async function makeIndexes({ accounts, keys }: Models): Promise<void> {
  await accounts.createIndexes();
  await keys.createIndexes();
}

export function accountOf({ _id: id, name, createdAt }: AccountDocument): Account {
  return { id, name, createdAt };
}

export function keyOf({
  _id: id,
  name,
  prefix,
  scope = 'write',
  createdBy = null,
  createdAt,
  expiresAt = null,
  lastUsedAt,
  revokedAt,
}: KeyDocument): ApiKey {
  return { id, name, prefix, scope, createdBy, createdAt, expiresAt, lastUsedAt, revokedAt };
}
