import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { sessionView } from './view.ts';

export function signInByLink({ users, sessions }: AppParts): Handler<Operations['signInByLink']> {
  return async ({ req, res, body: { token }, origin }) => {
    const signedIn = await users.signInByLink({ token, origin });
    await sessions.replace(req, res, signedIn);
    return sessionView(signedIn.session);
  };
}
