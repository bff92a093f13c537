import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { keyView } from './view.ts';

export function makeKey({ accounts }: AppParts): Handler<Operations['makeKey']> {
  return async ({ body: { name, scope, expiresAt }, present: { actor } }) => {
    const { key, secret } = await accounts.createKey({
      accountId: actor.accountId,
      name,
      scope,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      createdBy: actor.userId,
    });
    return { key: keyView(key), secret };
  };
}
