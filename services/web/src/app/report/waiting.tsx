import { Skeleton, Stack } from '@mantine/core';
import { texts } from '../texts/texts.ts';

/** The shape of a report, until it is there. */
export function Waiting() {
  return (
    <Stack gap="md" role="status" aria-label={texts.common.loading}>
      <Skeleton height={140} radius="lg" />
      <Skeleton height={110} radius="lg" />
      <Skeleton height={220} radius="lg" />
    </Stack>
  );
}
