import { listItem } from '../../list-calls/list-calls.ts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function searchCalls({ calls }: AppParts): Handler<Operations['searchCalls']> {
  return async ({ query, present: { actor } }) => {
    const { limit, offset } = query;
    const found = await calls.reads.search(actor.accountId, query);
    return {
      calls: found.calls.map((call) => ({
        ...listItem(call),
        errorMessage: call.failure?.message ?? null,
        waitingFor: call.waiting?.for ?? null,
        match: call.match,
      })),
      total: found.total,
      limit,
      offset,
    };
  };
}
