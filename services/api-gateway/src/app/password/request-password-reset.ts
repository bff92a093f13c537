import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function requestPasswordReset({ users }: AppParts): Handler<Operations['requestPasswordReset']> {
  return async ({ body: { email }, origin }) => users.requestPasswordReset({ email, origin });
}
