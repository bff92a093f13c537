import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { sessionView } from './view.ts';

export function showSession({ sessions }: AppParts): Handler<Operations['showSession']> {
  return async ({ res, present }) => {
    sessions.begin(res, present);
    return sessionView(present.session);
  };
}
