import type { CallSpeakers } from '@call-analytics/contracts';
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, errorText } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { refetchCalls } from '../calls/requests.ts';
import { notify } from '../common/notices.tsx';
import { Loaded } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';

const words = texts.report.speakers;
const ROLES = ['manager', 'customer', 'other'] as const;
type Role = (typeof ROLES)[number];

/** A dialog in which a person says who is who. The call is then analyzed again. */
export function SpeakersDialog({ callId, opened, close }: { callId: string; opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title={words.correct} size="lg">
      <Speakers callId={callId} close={close} />
    </Modal>
  );
}

function Speakers({ callId, close }: { callId: string; close: () => void }) {
  const query = useQuery(speakersQuery(callId));
  return <Loaded of={query}>{({ speakers }) => <Form callId={callId} speakers={speakers} close={close} />}</Loaded>;
}

function speakersQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.call(id), 'speakers'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/calls/{id}/speakers', { params: { path: { id } }, signal })),
  });
}

function Form({ callId, speakers, close }: { callId: string; speakers: CallSpeakers['speakers']; close: () => void }) {
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
    onError: (error) => notify({ tone: 'error', title: words.failed, message: errorText(error), shownMs: 10_000 }),
    onSettled: () => refetchCalls([callId]),
  });
  return (
    <Stack gap="lg">
      <Text c="dimmed">{words.explanation}</Text>
      {speakers.map(({ speaker, firstWords }) => (
        <Stack key={speaker} gap="xs">
          <Text className={classes.prose}>“{firstWords} …”</Text>
          <SegmentedControl
            fullWidth
            aria-label={words.roleOf(speaker)}
            value={roles[speaker] ?? 'other'}
            onChange={(role) => choose(speaker, role as Role)}
            data={ROLES.map((role) => ({ value: role, label: words.roles[role] }))}
          />
        </Stack>
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
