import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { sessionView } from './view.ts';

export function signIn({ users, sessions }: AppParts): Handler<Operations['signIn']> {
  return async ({ req, res, body: { email, password }, origin }) => {
    const signedIn = await users.signIn({ email, password, origin });
    await sessions.replace(req, res, signedIn);
    return sessionView(signedIn.session);
  };
}
