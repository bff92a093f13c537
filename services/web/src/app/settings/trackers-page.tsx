import type { Tracker, TrackerKind, TrackerSpeaker } from '@call-analytics/contracts';
import { NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { texts } from '../texts/index.ts';
import { EntryDialog, type EntryForm, EntryListPage } from './entry-list.tsx';
import { linesOf } from './settings-page.tsx';

const words = texts.settings.trackers;
const WHO = ['anyone', 'manager', 'customer'] as const satisfies readonly TrackerSpeaker[];
const NEW: Tracker = { name: '', kind: 'mention', who: 'anyone', phrases: [] };

export function TrackersPage() {
  const query = useQuery({
    queryKey: keys.trackers,
    queryFn: ({ signal }) => answered(api.GET('/api/v1/trackers', { signal })),
  });
  return (
    <EntryListPage
      words={words}
      query={query}
      entriesOf={({ trackers }) => trackers}
      blank={NEW}
      nameOf={({ name }) => name}
      factsOf={({ kind, who, phrases }) => [words.facts[kind][who], words.phrasesOf(phrases)]}
      form={TrackerForm}
      write={({ revision }, trackers) => answered(api.PUT('/api/v1/trackers', { body: { revision, trackers } }))}
      affects={[keys.trackers, keys.overview, keys.calls, keys.eachCall]}
    />
  );
}

function TrackerForm(form: EntryForm<Tracker>) {
  const [name, setName] = useState(form.before.name);
  const [kind, setKind] = useState<TrackerKind>(form.before.kind);
  const [who, setWho] = useState<TrackerSpeaker>(form.before.who);
  const [lines, setLines] = useState(form.before.phrases.join('\n'));
  return (
    <EntryDialog form={form} after={{ name: name.trim(), kind, who, phrases: linesOf(lines) }}>
      <TextInput
        label={words.name}
        placeholder={words.nameExample}
        maxLength={60}
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={words.phrases}
        description={words.phrasesHint}
        placeholder={words.phrasesExample}
        required
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
    </EntryDialog>
  );
}
