import type {
  ScorecardCheck,
  ScorecardQuestion,
  Tracker,
  TrackerKind,
  TrackerSpeaker,
} from '@call-analytics/contracts';
import { SCORECARD_CHECKS } from '@call-analytics/contracts/values';
import { Button, Checkbox, Group, NativeSelect, NumberInput, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { Confirm } from '../common/dialogs.tsx';
import { Note } from '../common/page.tsx';
import { scorecard as words } from '../texts/en/on-demand.ts';
import { texts } from '../texts/index.ts';
import { EntryDialog, type EntryForm, EntryListPage } from './entry-list.tsx';
import { linesOf } from './settings-page.tsx';

const WHO = ['manager', 'customer', 'anyone'] as const satisfies readonly TrackerSpeaker[];
const CHECKS = Object.keys(SCORECARD_CHECKS) as ScorecardCheck[];
const NEW_QUESTION: ScorecardQuestion = { question: '', who: 'manager', weight: 10 };

export function ScorecardPage() {
  const query = useQuery({
    queryKey: keys.scorecard,
    queryFn: ({ signal }) => answered(api.GET('/api/v1/scorecard', { signal })),
  });
  return (
    <EntryListPage
      words={words}
      query={query}
      entriesOf={({ questions }) => questions}
      blank={NEW_QUESTION}
      nameOf={({ question }) => question}
      factsOf={({ weight, who, autoFail }) => words.facts(weight, who, autoFail === true)}
      form={QuestionForm}
      write={({ version }, questions) => answered(api.PUT('/api/v1/scorecard', { body: { version, questions } }))}
      affects={[keys.scorecard]}
    >
      {({ version }) => <Version version={version} />}
    </EntryListPage>
  );
}

/** The version of the scorecard, and the way back to the default rubric. */
function Version({ version }: { version: number }) {
  const [isAsking, setAsking] = useState(false);
  const reset = async () => {
    await answered(api.PUT('/api/v1/scorecard', { body: { version, questions: [] } }));
    await queryClient.invalidateQueries({ queryKey: keys.scorecard });
  };
  return (
    <Group justify="space-between" mt="md">
      <Note>{words.version(version)}</Note>
      <Button variant="default" onClick={() => setAsking(true)}>
        {words.reset}
      </Button>
      <Confirm
        opened={isAsking}
        title={words.resetTitle}
        action={words.reset}
        act={reset}
        onClose={() => setAsking(false)}
      >
        {words.resetWhy}
      </Confirm>
    </Group>
  );
}

function QuestionForm(form: EntryForm<ScorecardQuestion>) {
  const { before } = form;
  const [check, setCheck] = useState(before.check);
  const [question, setQuestion] = useState(before.question);
  const [who, setWho] = useState<TrackerSpeaker>(before.who);
  const [weight, setWeight] = useState<number | string>(before.weight);
  const [autoFail, setAutoFail] = useState(before.autoFail === true);
  const asked = check === undefined ? { question: question.trim(), who } : { ...SCORECARD_CHECKS[check], check };
  return (
    <EntryDialog form={form} after={{ ...asked, weight: Number(weight), ...(autoFail && { autoFail }) }}>
      <NativeSelect
        label={words.builtIn}
        description={words.builtInHint}
        value={check ?? ''}
        onChange={({ currentTarget: { value } }) => setCheck(CHECKS.find((id) => id === value))}
        data={[
          { value: '', label: words.ownWords },
          ...CHECKS.map((id) => ({ value: id, label: SCORECARD_CHECKS[id].question })),
        ]}
      />
      {check === undefined && (
        <>
          <Textarea
            label={words.question}
            description={words.questionHint}
            placeholder={words.questionExample}
            minLength={2}
            maxLength={200}
            required
            autosize
            data-autofocus
            value={question}
            onChange={({ currentTarget: { value } }) => setQuestion(value.replaceAll(/\s/g, ' '))}
          />
          <NativeSelect
            label={words.who}
            value={who}
            onChange={({ currentTarget: { value } }) => setWho(WHO.find((each) => each === value) ?? 'manager')}
            data={WHO.map((value) => ({ value, label: words.speakers[value] }))}
          />
        </>
      )}
      <NumberInput
        label={words.weight}
        min={1}
        max={100}
        allowDecimal={false}
        required
        value={weight}
        onChange={setWeight}
      />
      <Checkbox
        label={words.autoFail}
        checked={autoFail}
        onChange={({ currentTarget: { checked } }) => setAutoFail(checked)}
      />
    </EntryDialog>
  );
}

const trackerWords = texts.settings.trackers;
const WHO_SAYS = ['anyone', 'manager', 'customer'] as const satisfies readonly TrackerSpeaker[];
const NEW_TRACKER: Tracker = { name: '', kind: 'mention', who: 'anyone', phrases: [] };

export function TrackersPage() {
  const query = useQuery({
    queryKey: keys.trackers,
    queryFn: ({ signal }) => answered(api.GET('/api/v1/trackers', { signal })),
  });
  return (
    <EntryListPage
      words={trackerWords}
      query={query}
      entriesOf={({ trackers }) => trackers}
      blank={NEW_TRACKER}
      nameOf={({ name }) => name}
      factsOf={({ kind, who, phrases }) => [trackerWords.facts[kind][who], trackerWords.phrasesOf(phrases)]}
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
        label={trackerWords.name}
        placeholder={trackerWords.nameExample}
        maxLength={60}
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={trackerWords.phrases}
        description={trackerWords.phrasesHint}
        placeholder={trackerWords.phrasesExample}
        required
        autosize
        minRows={3}
        maxRows={10}
        value={lines}
        onChange={(event) => setLines(event.currentTarget.value)}
      />
      <NativeSelect
        label={trackerWords.who}
        value={who}
        onChange={({ currentTarget: { value } }) => setWho(WHO_SAYS.find((each) => each === value) ?? 'anyone')}
        data={WHO_SAYS.map((value) => ({ value, label: trackerWords.speakers[value] }))}
      />
      <Radio.Group label={trackerWords.kind} value={kind} onChange={(value) => setKind(value as TrackerKind)}>
        <Stack gap="xs" mt="xs">
          <Radio value="mention" label={trackerWords.kinds.mention} />
          <Radio value="required" label={trackerWords.kinds.required} />
        </Stack>
      </Radio.Group>
    </EntryDialog>
  );
}
