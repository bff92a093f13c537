import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';
import { keyView } from './view.ts';

export function listKeys({ accounts }: AppParts): Handler<Operations['listKeys']> {
  return async ({ present: { actor } }) => {
    const { keys } = await accounts.listKeys({ accountId: actor.accountId });
    return { keys: keys.map(keyView) };
  };
}
