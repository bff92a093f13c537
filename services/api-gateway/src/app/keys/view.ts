import type { ApiKey } from '@call-analytics/accounts';
import type { Key } from '@call-analytics/contracts';

/** A key as it may be shown. */
export function keyView({ id, name, prefix, createdAt, lastUsedAt, revokedAt }: ApiKey): Key {
  return {
    id,
    name,
    prefix,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
