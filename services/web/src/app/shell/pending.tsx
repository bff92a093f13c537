import { Skeleton, Stack, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { reachable } from '../api/connection.ts';
import { texts } from '../texts/texts.ts';
import classes from './shell.module.css';

/** In the place of a page that is being loaded. The navigation around it stays usable. */
export function PagePending() {
  const isReachable = useSyncExternalStore(reachable.subscribe, reachable.get);
  return (
    <Stack gap="md" className={classes.pending} role="status" aria-label={texts.common.loading}>
      {!isReachable && <Text>{texts.common.pageWaits}</Text>}
      <Skeleton height={40} width={260} radius="md" />
      <Skeleton height={110} radius="lg" />
      <Skeleton height={240} radius="lg" />
    </Stack>
  );
}
