import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { sessionView } from '../session/view.ts';

export function signUp({ users, sessions }: AppParts): Handler<Operations['signUp']> {
  return async ({ req, res, body, origin }) => {
    const signedIn = await users.signUp({ ...body, origin });
    await sessions.replace(req, res, signedIn);
    return sessionView(signedIn.session);
  };
}
