import { Alert, Button, Stack, Text } from '@mantine/core';
import { mayPass, ProblemError } from '../api/problem.ts';
import { wordsFor } from '../api/words.ts';
import { texts } from '../texts/texts.ts';
import { AlertIcon } from './icons.tsx';

const { common } = texts;

/** In the place of what could not be loaded. */
export function Failed({
  error,
  retry,
  title = common.failed,
}: {
  error: unknown;
  retry?: () => void;
  title?: string;
}) {
  return (
    <Alert icon={<AlertIcon />} title={title} color="red" variant="light" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{wordsFor(error)}</Text>
        {error instanceof ProblemError && error.requestId !== null && !mayPass(error) && (
          <Text size="xs" c="dimmed">
            {common.requestId(error.requestId)}
          </Text>
        )}
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            {common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Above a form's button: why it did not go through. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert icon={<AlertIcon />} color="red" variant="light" role="alert" p="sm">
      {wordsFor(error)}
    </Alert>
  );
}
