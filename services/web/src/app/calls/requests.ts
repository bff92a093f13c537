import type { CallSearch, CallStatus } from '@call-analytics/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { answered, api, errorText } from '../api/client.ts';
import { ExternalStore } from '../api/connection.ts';
import { keys, queryClient } from '../api/queries.ts';
import { notify } from '../common/notices.tsx';
import { texts } from '../texts/index.ts';

/** A little less than the 30 s in which the API restores a call: the request takes time too. */
const UNDO_MS = 28_000;
const words = texts.calls.deletion;

const hidden = new ExternalStore<ReadonlySet<string>>(new Set());

/** Calls that are hidden because they are being deleted. */
export function useHiddenCalls(): ReadonlySet<string> {
  return useSyncExternalStore(hidden.subscribe, hidden.get);
}

/** Deletes calls. They disappear at once and can be restored for half a minute. */
export async function deleteCalls(ids: readonly string[]): Promise<void> {
  hide(ids);
  const { done, failed, error } = await each(ids, (id) =>
    answered(api.DELETE('/api/v1/calls/{id}', { params: { path: { id } } })),
  );
  if (failed.length > 0) {
    show(failed);
    notify({ tone: 'error', title: words.failed(failed.length), message: errorText(error), shownMs: 10_000 });
  }
  if (done.length > 0) offerUndo(done);
  await refetchCalls(ids);
  // The server hides deleted calls now. Another tab may restore them.
  show(done);
}

function offerUndo(ids: readonly string[]): void {
  const undo = { label: words.undo, act: () => void restoreCalls(ids) };
  notify({ title: words.deleted(ids.length), message: words.permanent, undo, shownMs: UNDO_MS });
}

async function restoreCalls(ids: readonly string[]): Promise<void> {
  const { done, failed, error } = await each(ids, (id) =>
    answered(api.POST('/api/v1/calls/{id}/restore', { params: { path: { id } } })),
  );
  void refetchCalls(ids);
  if (done.length > 0) notify({ tone: 'success', message: words.restored(done.length) });
  if (failed.length > 0)
    notify({ tone: 'error', title: words.notRestored(failed.length), message: errorText(error), shownMs: 10_000 });
}

async function each(ids: readonly string[], act: (id: string) => Promise<unknown>) {
  const results = await Promise.allSettled(ids.map(act));
  const failure = results.find((result) => result.status === 'rejected');
  return {
    done: ids.filter((_, index) => results[index]?.status === 'fulfilled'),
    failed: ids.filter((_, index) => results[index]?.status === 'rejected'),
    error: failure?.reason as unknown,
  };
}

function hide(ids: readonly string[]): void {
  hidden.set(new Set([...hidden.get(), ...ids]));
}

function show(ids: readonly string[]): void {
  hidden.set(new Set([...hidden.get()].filter((id) => !ids.includes(id))));
}

/** Refetches the list, the overview and the given calls. */
export async function refetchCalls(ids: readonly string[]): Promise<void> {
  await Promise.all(
    [keys.calls, keys.overview, ...ids.map(keys.call)].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

/** A page of the list. The previous page stays while another one loads, so that nothing jumps. */
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
