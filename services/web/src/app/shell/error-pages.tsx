import { Alert, Button, Center, Skeleton, Stack, Text } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { ProblemError, UnreachableError } from '../api/client.ts';
import { reachable } from '../api/connection.ts';
import { uploads } from '../calls/upload/uploads.tsx';
import { ReloadNeededError, reloadOnce, reloadPage } from '../chunks/chunk.tsx';
import { Empty, Failed } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import classes from './shell.module.css';

const { common } = texts;

/** Shown for a page that threw an error or could not be loaded. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  const isOfServer = error instanceof UnreachableError || error instanceof ProblemError;
  return (
    <Center mih="60vh" p="lg">
      <Stack maw={480} w="100%">
        <title>{common.product}</title>
        {error instanceof ReloadNeededError ? (
          <ReloadNeeded />
        ) : isOfServer ? (
          <Failed error={error} retry={again} />
        ) : (
          <Failed error={error} title={common.somethingBroke} retry={reloadPage} />
        )}
      </Stack>
    </Center>
  );
}

/** A deployment replaced this version: reloads automatically, unless that would abort uploads. */
function ReloadNeeded() {
  const isUploading = useSyncExternalStore(uploads.subscribe, () => uploads.unfinished());
  useEffect(() => {
    if (!isUploading) reloadOnce();
  }, [isUploading]);
  return (
    <Alert color="ink" variant="light" title={common.newVersion} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{isUploading ? common.newVersionUploads : common.newVersionWhy}</Text>
        <Button size="xs" variant="default" onClick={reloadPage}>
          {common.reload}
        </Button>
      </Stack>
    </Alert>
  );
}

export function NotFound() {
  return (
    <Center mih="60vh">
      <title>{common.notFound}</title>
      <Empty title={common.notFound} isPage>
        <Text c="dimmed">{common.notFoundWhy}</Text>
        <Button renderRoot={(props) => <Link to="/calls" {...props} />}>{common.toCalls}</Button>
      </Empty>
    </Center>
  );
}

/** A placeholder while a page loads. The navigation stays usable. */
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
