import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function signOut({ sessions }: AppParts): Handler<Operations['signOut']> {
  return async ({ req, res }) => sessions.end(req, res);
}
