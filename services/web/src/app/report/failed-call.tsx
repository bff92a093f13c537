import type { CallDetail } from '@call-analytics/contracts';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { answered, api } from '../api/client.ts';
import { wordsFor } from '../api/words.ts';
import { lookAgain } from '../calls/deletion.ts';
import { ChooseFiles } from '../calls/upload/choose-files.tsx';
import { AlertIcon } from '../common/icons.tsx';
import { notify } from '../common/notices.tsx';
import { texts } from '../texts/texts.ts';
import { Facts } from './facts.tsx';
import classes from './report.module.css';
import { Transcript } from './transcript.tsx';

const words = texts.report;

/** Why the call failed and what to do; also what was said, if that much is known. */
export function FailedCall({ call }: { call: CallDetail }) {
  const retry = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/calls/{id}/retry', { params: { path: { id: call.id } } })),
    onError: (error) => notify({ tone: 'error', title: words.retryFailed, message: wordsFor(error), shownMs: 10_000 }),
    onSettled: () => lookAgain([call.id]),
  });
  return (
    <Stack gap="md">
      <Alert icon={<AlertIcon />} color="red" variant="light" title={words.failed} radius="lg">
        <Stack gap="md" align="flex-start">
          {call.errorMessage !== undefined && <Text className={classes.prose}>{call.errorMessage}</Text>}
          <Group gap="sm">
            {call.retryable === true && (
              <Button size="sm" loading={retry.isPending} onClick={() => retry.mutate()}>
                {words.retry}
              </Button>
            )}
            <ChooseFiles label={words.uploadAgain} size="sm" />
          </Group>
        </Stack>
      </Alert>
      <Facts call={call} />
      {call.transcript !== '' && <Transcript transcript={call.transcript} />}
    </Stack>
  );
}
