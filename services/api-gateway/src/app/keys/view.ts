import type { ApiKey } from '@call-analytics/accounts';
import type { Key } from '@call-analytics/contracts';

/** A key without its secret, as the pages read it. */
export function keyView({
  id,
  name,
  prefix,
  scope,
  createdBy,
  createdAt,
  expiresAt,
  lastUsedAt,
  revokedAt,
}: ApiKey): Key {
  return {
    id,
    name,
    prefix,
    scope,
    createdBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
