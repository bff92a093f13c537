import type { ApiKey } from '@call-analytics/accounts';
import { CreatedKey, type Key, KeyList, NewKey } from '@call-analytics/contracts';
import { HttpProblem } from '../http/problem.ts';
import { DONE, operation } from './operation.ts';

export const keyOperations = {
  listKeys: operation(
    {
      method: 'get',
      path: '/app/keys',
      tag: 'API keys',
      summary: 'List the API keys of the account',
      description: 'For owners and members.',
      caller: 'session',
      answer: { status: 200, description: 'The keys, oldest first, revoked ones too', schema: KeyList },
      problems: [],
    },
    async ({ caller: { actor } }, { accounts }) => {
      const { keys } = await accounts.listKeys({ accountId: actor.accountId });
      return { keys: keys.map(keyView) };
    },
  ),

  makeKey: operation(
    {
      method: 'post',
      path: '/app/keys',
      tag: 'API keys',
      summary: 'Create an API key',
      description:
        'For owners and members. The key is revoked when the user who created it leaves the account or resets their ' +
        'password. The secret is returned only in this response.',
      caller: 'session',
      body: NewKey,
      answer: { status: 201, description: 'The key with its secret', schema: CreatedKey },
      problems: ['invalid_name', 'invalid_expiry', 'too_many_keys'],
    },
    async ({ body: { name, scope, expiresAt }, caller: { actor } }, { accounts }) => {
      const { key, secret } = await accounts.createKey({
        accountId: actor.accountId,
        name,
        scope,
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
        createdBy: actor.userId,
      });
      return { key: keyView(key), secret };
    },
  ),

  revokeKey: operation(
    {
      method: 'delete',
      path: '/app/keys/{id}',
      tag: 'API keys',
      summary: 'Revoke an API key',
      description: 'For owners and members, so that everyone who notices a leak can stop it.',
      caller: 'session',
      answer: DONE,
      problems: ['key_not_found'],
    },
    async ({ id, caller: { actor } }, { accounts }) => {
      const { revoked } = await accounts.revokeKey({ accountId: actor.accountId, keyId: id });
      if (!revoked) throw new HttpProblem('key_not_found', 'API key not found, or already revoked.');
    },
  ),
};

/** A key without its secret. Field by field, because the record may have fields that are not public. */
function keyView({ createdAt, expiresAt, lastUsedAt, revokedAt, ...key }: ApiKey): Key {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scope: key.scope,
    createdBy: key.createdBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
