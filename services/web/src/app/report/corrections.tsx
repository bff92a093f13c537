import type { CallCorrections, CallDetail, CallSpeakers } from '@call-analytics/contracts';
import {
  Button,
  Checkbox,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, errorText } from '../api/client.ts';
import { callPartQuery } from '../api/queries.ts';
import { refetchCalls } from '../calls/requests.ts';
import { notify } from '../common/notices.tsx';
import { Loaded } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';

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
  const query = useQuery(callPartQuery(call.id, 'corrections'));
  return (
    <Loaded of={query} heights={[320]}>
      {({ corrections }) => <Form call={call} corrections={corrections} close={close} />}
    </Loaded>
  );
}

interface FormProps {
  call: CallDetail;
  corrections: readonly Correction[];
  close: () => void;
}

function Form({ call, corrections, close }: FormProps) {
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

const speakerWords = texts.report.speakers;
const ROLES = ['manager', 'customer', 'other'] as const;
type Role = (typeof ROLES)[number];

/** A dialog in which a person says who is who. The call is then analyzed again. */
export function SpeakersDialog({ callId, opened, close }: { callId: string; opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title={speakerWords.correct} size="lg">
      <Speakers callId={callId} close={close} />
    </Modal>
  );
}

function Speakers({ callId, close }: { callId: string; close: () => void }) {
  const query = useQuery(callPartQuery(callId, 'speakers'));
  return (
    <Loaded of={query}>{({ speakers }) => <SpeakersForm callId={callId} speakers={speakers} close={close} />}</Loaded>
  );
}

interface SpeakersFormProps {
  callId: string;
  speakers: CallSpeakers['speakers'];
  close: () => void;
}

function SpeakersForm({ callId, speakers, close }: SpeakersFormProps) {
  const [roles, setRoles] = useState<Readonly<Record<number, Role>>>(
    Object.fromEntries(speakers.map(({ speaker, role }) => [speaker, role])),
  );
  const isSwap = speakers.length === 2;
  const choose = (speaker: number, role: Role) => {
    const other = speakers.find((each) => each.speaker !== speaker)?.speaker;
    // With two people, one choice mostly decides the other.
    const swapped = isSwap && other !== undefined && role !== 'other' && roles[other] === role;
    const rest = swapped ? { [other]: role === 'manager' ? ('customer' as const) : ('manager' as const) } : {};
    setRoles({ ...roles, [speaker]: role, ...rest });
  };
  const save = useMutation({
    mutationFn: () =>
      answered(
        api.PUT('/api/v1/calls/{id}/speakers', {
          params: { path: { id: callId } },
          body: { speakers: speakers.map(({ speaker }) => ({ speaker, role: roles[speaker] ?? 'other' })) },
        }),
      ),
    onSuccess: close,
    onError: (error) =>
      notify({ tone: 'error', title: speakerWords.failed, message: errorText(error), shownMs: 10_000 }),
    onSettled: () => refetchCalls([callId]),
  });
  return (
    <Stack gap="lg">
      <Text c="dimmed">{speakerWords.explanation}</Text>
      {speakers.map(({ speaker, firstWords }) => (
        <Stack key={speaker} gap="xs">
          <Text className={classes.prose}>“{firstWords} …”</Text>
          <SegmentedControl
            fullWidth
            aria-label={speakerWords.roleOf(speaker)}
            value={roles[speaker] ?? 'other'}
            onChange={(role) => choose(speaker, role as Role)}
            data={ROLES.map((role) => ({ value: role, label: speakerWords.roles[role] }))}
          />
        </Stack>
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {texts.common.cancel}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {speakerWords.save}
        </Button>
      </Group>
    </Stack>
  );
}
