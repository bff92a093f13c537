import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { sessionView } from '../session/view.ts';

/** Sends the link that confirms an email. */
export function requestSignUp({ users }: AppParts): Handler<Operations['requestSignUp']> {
  return async ({ body: { email }, origin }) => users.requestSignUp({ email, origin });
}

export function signUp({ users, sessions }: AppParts): Handler<Operations['signUp']> {
  return async ({ req, res, body, origin }) => {
    const signedIn = await users.signUp({ ...body, origin });
    await sessions.replace(req, res, signedIn);
    return sessionView(signedIn.session);
  };
}
