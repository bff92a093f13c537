import { queryOptions } from '@tanstack/react-query';
import { answered, api } from '../api/client.ts';
import { keys } from '../api/queries.ts';

/** What a call waits for, or which stage it is in. Looked at again whenever the call is. */
export function progressQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.call(id), 'progress'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/calls/{id}/progress', { params: { path: { id } }, signal })),
  });
}

/** A call with its report. */
export function callQuery(id: string) {
  return queryOptions({
    queryKey: keys.call(id),
    queryFn: ({ signal }) => answered(api.GET('/api/v1/calls/{id}', { params: { path: { id } }, signal })),
  });
}
