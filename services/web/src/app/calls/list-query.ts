import type { CallSearch, CallStatus } from '@call-analytics/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, api } from '../api/client.ts';
import { keys } from '../api/queries.ts';

/** A page of the list. While another is on its way the one before stays, so that nothing jumps. */
export function listQuery(search: CallSearch) {
  return queryOptions({
    queryKey: [...keys.calls, search],
    queryFn: ({ signal }) => answered(api.GET('/app/calls', { params: { query: search }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Whether a call is still being worked on. */
export function isUnfinished(status: CallStatus): boolean {
  return status !== 'completed' && status !== 'failed';
}
