import type { CallCorrections, CallDetail } from '@call-analytics/contracts';
import { Button, Checkbox, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, errorText } from '../api/client.ts';
import { refetchCalls } from '../calls/requests.ts';
import { notify } from '../common/notices.tsx';
import { Loaded } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { correctionsQuery } from './report.tsx';

const words = texts.report.corrections;
const OUTCOMES = ['sold', 'follow_up', 'not_sold', 'unclear'] as const;
const LISTS = ['objections', 'managerMistakes'] as const;
type Correction = CallCorrections['corrections'][number];
type Answers = Pick<CallDetail, Correction['field']>;

/** A dialog in which a person says what the answers of a report should be. */
export function CorrectionsDialog({ call, opened, close }: { call: CallDetail; opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title={words.correct} size="lg">
      <Corrections call={call} close={close} />
    </Modal>
  );
}

function Corrections({ call, close }: { call: CallDetail; close: () => void }) {
  const query = useQuery(correctionsQuery(call.id));
  return (
    <Loaded of={query} heights={[320]}>
      {({ corrections }) => <Form call={call} corrections={corrections} close={close} />}
    </Loaded>
  );
}

function Form({
  call,
  corrections,
  close,
}: {
  call: CallDetail;
  corrections: readonly Correction[];
  close: () => void;
}) {
  const [answers, setAnswers] = useState<Answers>(call);
  const change = (part: Partial<Answers>) => setAnswers({ ...answers, ...part });
  /** With those that a person has taken out. */
  const found = (list: (typeof LISTS)[number]): readonly string[] => {
    const engine = corrections.find(({ field }) => field === list)?.engine;
    return Array.isArray(engine) ? engine : call[list];
  };
  const save = useMutation({
    mutationFn: async () => {
      for (const [field, value] of reviewed(call, answers, found))
        await answered(
          api.PUT('/api/v1/calls/{id}/corrections/{field}', {
            params: { path: { id: call.id, field } },
            body: { value: typeof value === 'string' ? value : [...value] },
          }),
        );
    },
    onSuccess: close,
    onError: (error) => notify({ tone: 'error', title: words.failed, message: errorText(error), shownMs: 10_000 }),
    onSettled: () => refetchCalls([call.id]),
  });
  return (
    <Stack gap="md">
      <Text c="dimmed">{words.explanation}</Text>
      {call.score !== null && (
        <Select
          label={words.saleStatus}
          allowDeselect={false}
          value={answers.saleStatus}
          onChange={(status) => change({ saleStatus: status as Answers['saleStatus'] })}
          data={OUTCOMES.map((value) => ({ value, label: texts.calls.saleStatuses[value] }))}
        />
      )}
      <TextInput
        label={words.product}
        maxLength={200}
        value={answers.product}
        onChange={({ currentTarget }) => change({ product: currentTarget.value })}
      />
      <Textarea
        label={words.nextStep}
        autosize
        maxLength={1_000}
        value={answers.nextStep}
        onChange={({ currentTarget }) => change({ nextStep: currentTarget.value })}
      />
      {LISTS.filter((list) => found(list).length > 0).map((list) => (
        <Checkbox.Group
          key={list}
          label={words[list]}
          description={words.untick}
          value={answers[list]}
          onChange={(right) => change({ [list]: right })}
        >
          <Stack gap="xs" mt="xs">
            {[...new Set(found(list))].map((text) => (
              <Checkbox key={text} value={text} label={text} />
            ))}
          </Stack>
        </Checkbox.Group>
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {texts.common.cancel}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {words.save}
        </Button>
      </Group>
    </Stack>
  );
}

/** The answers that a person has seen: what is on the page, and what was changed. */
function reviewed(
  call: CallDetail,
  answers: Answers,
  found: (list: (typeof LISTS)[number]) => readonly string[],
): [Correction['field'], string | readonly string[]][] {
  const told = (['product', 'nextStep'] as const).filter((field) => call[field] !== '' || answers[field] !== '');
  return [
    ...(call.score === null ? [] : [['saleStatus', answers.saleStatus] as [Correction['field'], string]]),
    ...told.map((field): [Correction['field'], string] => [field, answers[field]]),
    ...LISTS.filter((list) => found(list).length > 0).map((list): [Correction['field'], readonly string[]] => [
      list,
      found(list).filter((text) => answers[list].includes(text)),
    ]),
  ];
}
