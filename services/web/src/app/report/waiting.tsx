import { Skeleton, Stack } from '@mantine/core';
import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';
import { BackToCalls } from './back.tsx';

/** The shape of a report, until it is there. */
export function Waiting() {
  return (
    <Page title={texts.report.title} above={<BackToCalls />}>
      <Stack gap="md" role="status" aria-label={texts.common.loading}>
        <Skeleton height={140} radius="lg" />
        <Skeleton height={110} radius="lg" />
        <Skeleton height={220} radius="lg" />
      </Stack>
    </Page>
  );
}
