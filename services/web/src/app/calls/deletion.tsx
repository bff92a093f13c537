import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useSyncExternalStore } from 'react';
import { answered, api } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { Told } from '../api/told.ts';
import { wordsFor } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';

/** A little less than the 30 s in which the API brings a call back: the way there takes time too. */
const UNDO_MS = 28_000;
const words = texts.calls.deletion;

const hidden = new Told<ReadonlySet<string>>(new Set());

/** Calls that are shown no more, because they are being deleted. */
export function useHiddenCalls(): ReadonlySet<string> {
  return useSyncExternalStore(hidden.subscribe, hidden.get);
}

/** Deletes calls: they are gone from the pages at once, and for half a minute can be brought back. */
export async function deleteCalls(ids: readonly string[]): Promise<void> {
  hide(ids);
  const { done, failed, error } = await each(ids, (id) =>
    answered(api.DELETE('/api/v1/calls/{id}', { params: { path: { id } } })),
  );
  if (failed.length > 0) {
    show(failed);
    notifications.show({
      color: 'red',
      title: words.failed(failed.length),
      message: wordsFor(error),
      autoClose: 10_000,
    });
  }
  if (done.length > 0) offerUndo(done);
  await lookAgain(ids);
  // What the server hides need not be hidden here: somebody may bring it back in another tab.
  show(done);
}

function offerUndo(ids: readonly string[]): void {
  const id = `deleted-${ids[0]}`;
  const undo = () => {
    notifications.hide(id);
    void restoreCalls(ids);
  };
  notifications.show({
    id,
    title: words.deleted(ids.length),
    message: (
      <Group justify="space-between" gap="sm" mt={4} align="flex-end">
        <Text size="sm" maw={230}>
          {words.permanent}
        </Text>
        <Button size="xs" variant="light" onClick={undo}>
          {words.undo}
        </Button>
      </Group>
    ),
    autoClose: UNDO_MS,
    position: place(),
  });
}

/** Beside the uploads, not over them. */
function place(): 'top-center' | 'bottom-center' {
  return matchMedia('(max-width: 48em)').matches ? 'top-center' : 'bottom-center';
}

async function restoreCalls(ids: readonly string[]): Promise<void> {
  const { done, failed, error } = await each(ids, (id) =>
    answered(api.POST('/api/v1/calls/{id}/restore', { params: { path: { id } } })),
  );
  void lookAgain(ids);
  if (done.length > 0) notifications.show({ color: 'teal', message: words.restored(done.length) });
  if (failed.length > 0)
    notifications.show({
      color: 'red',
      title: words.notRestored(failed.length),
      message: wordsFor(error),
      autoClose: 10_000,
    });
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

/** @returns when what is on view has been asked for again */
export async function lookAgain(ids: readonly string[]): Promise<void> {
  await Promise.all(
    [keys.calls, keys.overview, ...ids.map(keys.call)].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}
