import { queryOptions } from '@tanstack/react-query';
import { answered, api } from '../api/client.ts';
import { keys } from '../api/queries.ts';

/** A call with its report. */
export function callQuery(id: string) {
  return queryOptions({
    queryKey: keys.call(id),
    queryFn: ({ signal }) => answered(api.GET('/api/v1/calls/{id}', { params: { path: { id } }, signal })),
  });
}
