import type { ScorecardCheck, ScorecardQuestion, TrackerSpeaker } from '@call-analytics/contracts';
import { SCORECARD_CHECKS } from '@call-analytics/contracts/states';
import { Button, Checkbox, Group, NativeSelect, NumberInput, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { Confirm } from '../common/dialogs.tsx';
import { scorecard as words } from '../texts/en/scorecard.ts';
import { EntryDialog, type EntryForm, EntryListPage } from './entry-list.tsx';

const WHO = ['manager', 'customer', 'anyone'] as const satisfies readonly TrackerSpeaker[];
const CHECKS = Object.keys(SCORECARD_CHECKS) as ScorecardCheck[];
const NEW: ScorecardQuestion = { question: '', who: 'manager', weight: 10 };

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
      blank={NEW}
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
      <Text size="sm" c="dimmed">
        {words.version(version)}
      </Text>
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
