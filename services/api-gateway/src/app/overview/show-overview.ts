import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function showOverview({ calls }: AppParts): Handler<Operations['showOverview']> {
  return async ({ query, present: { actor } }) => calls.store.overview(actor.accountId, query);
}
