import { Card } from '@mantine/core';
import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemError } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Confirm, FormDialog } from '../common/dialogs.tsx';
import { notify } from '../common/notices.tsx';
import { Empty, Loaded } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { AddButton, inWords, Row, RowAction, Rows, Section } from './settings-page.tsx';

interface Words {
  title: string;
  lead: string;
  none: string;
  noneWhy: string;
  add: string;
  edit: string;
  editOf: (name: string) => string;
  editTitle: string;
  delete: string;
  deleteOf: (name: string) => string;
  deleteTitle: (name: string) => string;
  deleteWhy: string;
  saved: string;
  changed: string;
  fields: Readonly<Record<string, string>>;
}

/** The form of one entry. It renders an `EntryDialog`. */
export interface EntryForm<T> {
  before: T;
  title: string;
  saved: string;
  save: (after: T) => Promise<void>;
  close: () => void;
}

interface EntryListPageProps<List, T extends object> {
  words: Words;
  query: UseQueryResult<List>;
  entriesOf: (list: List) => T[];
  blank: T;
  nameOf: (entry: T) => string;
  factsOf: (entry: T) => string[];
  form: (form: EntryForm<T>) => ReactNode;
  write: (latest: List, entries: T[]) => Promise<unknown>;
  affects: readonly (readonly string[])[];
  children?: (list: List) => ReactNode;
}

/**
 * A page of a list that people edit entry by entry and the API saves as a whole.
 * @param blank a new entry, as its form shows it first
 * @param write saves the list; `latest` has its revision
 * @param affects the queries that depend on the list
 * @param children below the rows
 */
export function EntryListPage<List, T extends object>({
  words,
  query,
  entriesOf,
  blank,
  nameOf,
  factsOf,
  form: Form,
  write,
  affects,
  children,
}: EntryListPageProps<List, T>) {
  const [edited, setEdited] = useState<T | null>(null);
  const [deleted, setDeleted] = useState<T | null>(null);
  const add = <AddButton label={words.add} onClick={() => setEdited(blank)} />;

  /** Changes the latest list, so that changes of other entries by other people stay. */
  const replace = async (before: T, after: T | null) => {
    const { data: latest } = await query.refetch({ throwOnError: true });
    const changed = latest && withEntry(entriesOf(latest), before === blank ? null : before, after);
    if (!changed) throw new ProblemError({ code: 'revision_conflict', status: 409, detail: words.changed }, null);
    try {
      await write(latest, changed);
    } catch (error) {
      throw after === null ? error : inWords(error, after, words);
    }
    await Promise.all(affects.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };

  const isEmpty = query.data === undefined || entriesOf(query.data).length === 0;
  return (
    <Section title={words.title} lead={words.lead} action={!isEmpty && add}>
      <Loaded of={query}>
        {(list) =>
          isEmpty ? (
            <Card>
              <Empty title={words.none}>
                <span>{words.noneWhy}</span>
                {add}
              </Empty>
            </Card>
          ) : (
            <>
              <Rows label={words.title}>
                {entriesOf(list).map((entry) => (
                  <Row
                    key={nameOf(entry)}
                    title={<bdi>{nameOf(entry)}</bdi>}
                    facts={factsOf(entry)}
                    actions={
                      <>
                        <RowAction
                          label={words.edit}
                          of={words.editOf(nameOf(entry))}
                          onClick={() => setEdited(entry)}
                        />
                        <RowAction
                          label={words.delete}
                          of={words.deleteOf(nameOf(entry))}
                          onClick={() => setDeleted(entry)}
                        />
                      </>
                    }
                  />
                ))}
              </Rows>
              {children?.(list)}
            </>
          )
        }
      </Loaded>
      {edited !== null && (
        <Form
          before={edited}
          title={edited === blank ? words.add : words.editTitle}
          saved={words.saved}
          save={(after) => replace(edited, after)}
          close={() => setEdited(null)}
        />
      )}
      <Confirm
        opened={deleted !== null}
        title={words.deleteTitle(deleted === null ? '' : nameOf(deleted))}
        action={words.delete}
        act={async () => deleted && replace(deleted, null)}
        onClose={() => setDeleted(null)}
      >
        {words.deleteWhy}
      </Confirm>
    </Section>
  );
}

interface EntryDialogProps<T> {
  form: EntryForm<T>;
  after: T;
  children: ReactNode;
}

/** @param after the entry with what is in the fields, which are the children */
export function EntryDialog<T>({ form: { title, saved, save, close }, after, children }: EntryDialogProps<T>) {
  const saving = useMutation({
    mutationFn: () => save(after),
    onSuccess: () => {
      notify({ tone: 'success', message: saved });
      close();
    },
  });
  return (
    <FormDialog close={close} title={title} submit={texts.common.save} saving={saving}>
      {children}
    </FormDialog>
  );
}

/**
 * A list with one entry changed.
 * @param before null adds an entry
 * @param after null deletes it
 * @returns null when the list no longer has the entry: another user has changed it
 */
function withEntry<T>(list: readonly T[], before: T | null, after: T | null): T[] | null {
  const isBefore = (each: T) => JSON.stringify(each) === JSON.stringify(before);
  const at = before === null ? list.length : list.findIndex(isBefore);
  return at === -1 ? null : list.toSpliced(at, 1, ...(after === null ? [] : [after]));
}
