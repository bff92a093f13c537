import type { CallDetail } from '@call-analytics/contracts';
import { Alert, Stack, Text } from '@mantine/core';
import { ChooseFiles } from '../calls/upload/choose-files.tsx';
import { AlertIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import { Facts } from './facts.tsx';
import classes from './report.module.css';
import { Transcript } from './transcript.tsx';

const words = texts.report;

/** Why the call failed and what to do; also what was said, if that much is known. */
export function FailedCall({ call }: { call: CallDetail }) {
  return (
    <Stack gap="md">
      <Alert icon={<AlertIcon />} color="red" variant="light" title={words.failed} radius="lg">
        <Stack gap="md" align="flex-start">
          {call.errorMessage !== undefined && <Text className={classes.prose}>{call.errorMessage}</Text>}
          <ChooseFiles label={words.uploadAgain} size="sm" />
        </Stack>
      </Alert>
      <Facts call={call} />
      {call.transcript !== '' && <Transcript transcript={call.transcript} />}
    </Stack>
  );
}
