import type { Tracker, TrackerKind, TrackerSpeaker } from '@call-analytics/contracts';
import { Button, Card, Group, Modal, NativeSelect, Radio, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, ProblemError } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { PlusIcon } from '../common/icons.tsx';
import { notify } from '../common/notices.tsx';
import { Empty, Failed, FormError, Row, Rows } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { Confirm, linesOf, Section, withEntry } from './settings-page.tsx';

const { common } = texts;
const words = texts.settings.trackers;
const WHO = ['anyone', 'manager', 'customer'] as const satisfies readonly TrackerSpeaker[];
const NEW: Tracker = { name: '', kind: 'mention', who: 'anyone', phrases: [] };

export function TrackersPage() {
  const { data, error, refetch } = useQuery({
    queryKey: keys.trackers,
    queryFn: ({ signal }) => answered(api.GET('/api/v1/trackers', { signal })),
  });
  const [edited, setEdited] = useState<Tracker | null>(null);
  const [deleted, setDeleted] = useState<Tracker | null>(null);
  const trackers = data?.trackers ?? [];
  const add = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setEdited(NEW)}>
      {words.add}
    </Button>
  );
  return (
    <Section title={words.title} lead={words.lead} action={trackers.length > 0 && add}>
      {data === undefined && error === null && <Skeleton h={160} radius="lg" />}
      {data === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data !== undefined && trackers.length === 0 && (
        <Card>
          <Empty title={words.none}>
            <span>{words.noneWhy}</span>
            {add}
          </Empty>
        </Card>
      )}
      {trackers.length > 0 && (
        <Rows label={words.title}>
          {trackers.map((tracker) => (
            <Row
              key={tracker.name}
              title={<bdi>{tracker.name}</bdi>}
              facts={[words.facts[tracker.kind][tracker.who], words.phrasesOf(tracker.phrases)]}
              actions={
                <>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={words.editOf(tracker.name)}
                    onClick={() => setEdited(tracker)}
                  >
                    {words.edit}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={words.deleteOf(tracker.name)}
                    onClick={() => setDeleted(tracker)}
                  >
                    {words.delete}
                  </Button>
                </>
              }
            />
          ))}
        </Rows>
      )}
      {edited !== null && <Edit tracker={edited} close={() => setEdited(null)} />}
      <Confirm
        opened={deleted !== null}
        title={words.deleteTitle(deleted?.name ?? '')}
        action={words.delete}
        act={() => (deleted === null ? Promise.resolve() : replace(deleted, null))}
        onClose={() => setDeleted(null)}
      >
        {words.deleteWhy}
      </Confirm>
    </Section>
  );
}

/** The form of a tracker. @param tracker NEW for one to be added */
function Edit({ tracker, close }: { tracker: Tracker; close: () => void }) {
  const [name, setName] = useState(tracker.name);
  const [kind, setKind] = useState<TrackerKind>(tracker.kind);
  const [who, setWho] = useState<TrackerSpeaker>(tracker.who);
  const [lines, setLines] = useState(tracker.phrases.join('\n'));
  const saving = useMutation({
    mutationFn: () => replace(tracker, { name: name.trim(), kind, who, phrases: linesOf(lines) }),
    onSuccess: () => {
      notify({ tone: 'success', message: words.saved });
      close();
    },
  });
  return (
    <Modal opened onClose={close} size="lg" title={tracker === NEW ? words.add : words.editOf(tracker.name)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={words.name}
            placeholder={words.nameExample}
            maxLength={60}
            required
            withAsterisk={false}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label={words.phrases}
            description={words.phrasesHint}
            placeholder={words.phrasesExample}
            required
            withAsterisk={false}
            autosize
            minRows={3}
            maxRows={10}
            value={lines}
            onChange={(event) => setLines(event.currentTarget.value)}
          />
          <NativeSelect
            label={words.who}
            value={who}
            onChange={({ currentTarget: { value } }) => setWho(WHO.find((each) => each === value) ?? 'anyone')}
            data={WHO.map((value) => ({ value, label: words.speakers[value] }))}
          />
          <Radio.Group label={words.kind} value={kind} onChange={(value) => setKind(value as TrackerKind)}>
            <Stack gap="xs" mt="xs">
              <Radio value="mention" label={words.kinds.mention} />
              <Radio value="required" label={words.kinds.required} />
            </Stack>
          </Radio.Group>
          <FormError error={saving.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/**
 * Replaces a tracker in the latest list, so that changes of other trackers by other people stay.
 * @param before NEW adds a tracker
 * @param after null deletes it
 * @throws ProblemError when somebody else has changed this tracker, or a field breaks a rule
 */
async function replace(before: Tracker, after: Tracker | null): Promise<void> {
  const { revision, trackers } = await answered(api.GET('/api/v1/trackers'));
  const changed = withEntry(trackers, before === NEW ? null : before, after);
  if (changed === null) {
    await refetch();
    throw new ProblemError({ code: 'revision_conflict', status: 409, detail: words.changed }, null);
  }
  try {
    await answered(api.PUT('/api/v1/trackers', { body: { revision, trackers: changed } }));
  } catch (error) {
    throw after === null ? error : inWords(error, after);
  }
  await refetch();
}

/** The error of a list, for the form of one tracker: names the phrase instead of its place. */
function inWords(error: unknown, tracker: Tracker): unknown {
  if (!(error instanceof ProblemError) || error.code !== 'invalid_body') return error;
  const [, field, phrase, rule] = /^"trackers(?:\.\d+\.(\w+)(?:\.(\d+))?)?" (.*)$/.exec(error.message) ?? [];
  if (rule === undefined) return error;
  const what = phrase === undefined ? words.fields[field ?? ''] : `“${tracker.phrases[Number(phrase)]}”`;
  return new ProblemError({ code: error.code, status: error.status, detail: `${what ?? words.title} ${rule}` }, null);
}

async function refetch(): Promise<void> {
  const changed = [keys.trackers, keys.overview, keys.calls, keys.eachCall];
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
