import { HttpProblem } from '../../http/problem.ts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function revokeKey({ accounts }: AppParts): Handler<Operations['revokeKey']> {
  return async ({ id, present: { actor } }) => {
    const { revoked } = await accounts.revokeKey({ accountId: actor.accountId, keyId: id });
    if (!revoked) throw new HttpProblem('key_not_found', 'API key not found, or already revoked.');
  };
}
