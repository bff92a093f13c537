import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function changePassword({ users }: AppParts): Handler<Operations['changePassword']> {
  return async ({ body: { currentPassword, newPassword }, present: { token }, origin }) =>
    users.changePassword({ token, currentPassword, newPassword, origin });
}
