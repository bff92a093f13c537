import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function resetPassword({ users }: AppParts): Handler<Operations['resetPassword']> {
  return async ({ body: { token, newPassword } }) => users.resetPassword({ token, newPassword });
}
