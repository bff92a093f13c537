import { WorkError } from '@call-analytics/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { type Account, type ApiKey, type NewKey, OPERATOR } from './accounts.ts';
import { hashApiKey, makeApiKey, shownPrefix } from './api-key.ts';
import { checkedName } from './refusals.ts';

/** @throws WorkError `rejected` `invalid_name` */
export function newAccount(name: string, createdAt: Date): Account {
  return { id: newId('acc'), name: checkedName(name), createdAt };
}

/**
 * @returns the key without its secret, the secret, and the hash (hex) that is stored instead of the secret
 * @throws WorkError `rejected` `invalid_name`, `invalid_expiry`
 */
export function newKey(
  { name, scope = 'write', expiresAt = null, createdBy = OPERATOR }: NewKey,
  createdAt: Date,
): { key: ApiKey; secret: string; hash: string } {
  const checked = checkedName(name);
  if (expiresAt !== null && !(expiresAt > createdAt))
    throw new WorkError({
      kind: 'rejected',
      code: 'invalid_expiry',
      message: 'The expiry date must be in the future.',
    });
  const secret = makeApiKey();
  const times = { createdAt, expiresAt, lastUsedAt: null, revokedAt: null };
  const key: ApiKey = { id: newId('key'), name: checked, prefix: shownPrefix(secret), scope, createdBy, ...times };
  return { key, secret, hash: hashApiKey(secret) };
}

/** @returns the user who creates the key; null when it is the operator */
export function userOf({ createdBy }: ApiKey): string | null {
  return createdBy === null || createdBy === OPERATOR ? null : createdBy;
}

/** Whether the key has not expired. One that was revoked does not work either. */
export function isInTime({ expiresAt }: ApiKey, now: Date): boolean {
  return expiresAt === null || expiresAt > now;
}

/** Ids begin with the time, so that those of one moment are listed in the order in which they were made. */
export function newId(kind: 'acc' | 'key' | 'usr' | 'idn' | 'inv' | 'lnk'): string {
  return `${kind}_${uuidv7().replaceAll('-', '')}`;
}
