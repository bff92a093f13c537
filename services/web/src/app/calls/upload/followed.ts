import type { CallStatus } from '@call-analytics/contracts';
import { useQuery } from '@tanstack/react-query';
import { usePolling } from '../../api/live.ts';
import { isUnfinished, listQuery } from '../list-query.ts';
import type { Upload } from './upload.ts';

const LATEST = { limit: 100, offset: 0, sort: 'createdAt', order: 'desc' } as const;

/**
 * What has become of uploaded files, by call id: all of them with one question, however many they are.
 * @returns nothing for calls that are not among the latest hundred
 */
export function useFollowed(uploads: readonly Upload[]): ReadonlyMap<string, CallStatus> {
  const ids = uploads.flatMap(({ state }) => (state.kind === 'accepted' ? [state.callId] : []));
  const following = useQuery({ ...listQuery(LATEST), enabled: ids.length > 0 });
  const statuses = new Map(following.data?.calls.map(({ id, status }) => [id, status]));
  const open = ids.some((id) => {
    const status = statuses.get(id);
    return status === undefined || isUnfinished(status);
  });
  useQuery({ ...listQuery(LATEST), enabled: ids.length > 0 && open, refetchInterval: usePolling(open) });
  return statuses;
}
