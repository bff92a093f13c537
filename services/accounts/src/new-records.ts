import { v7 as uuidv7 } from 'uuid';
import type { Account, ApiKey } from './accounts.ts';
import { hashApiKey, makeApiKey, shownPrefix } from './api-key.ts';
import { checkedName } from './refusals.ts';

/** @throws WorkError `rejected` `invalid_name` */
export function newAccount(name: string, createdAt: Date): Account {
  return { id: newId('acc'), name: checkedName(name), createdAt };
}

/** @returns the key as it may be shown, its secret, and the hash (hex) that is stored in the secret's place. @throws WorkError `rejected` `invalid_name` */
export function newKey(name: string, createdAt: Date): { key: ApiKey; secret: string; hash: string } {
  const checked = checkedName(name);
  const secret = makeApiKey();
  const key = { id: newId('key'), name: checked, prefix: shownPrefix(secret), createdAt, lastUsedAt: null, revokedAt: null };
  return { key, secret, hash: hashApiKey(secret) };
}

/** Ids begin with the time, so that those of one moment are listed in the order in which they were made. */
export function newId(kind: 'acc' | 'key' | 'usr' | 'idn' | 'inv' | 'lnk'): string {
  return `${kind}_${uuidv7().replaceAll('-', '')}`;
}
