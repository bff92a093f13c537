import { Button, Center, Stack, Text } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { ProblemError, UnreachableError } from '../api/problem.ts';
import { Empty } from '../common/empty.tsx';
import { Failed } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';

const { common } = texts;

/** In the place of a page that broke, or could not be loaded: never a blank page. */
export function Broken({ error, reset }: ErrorComponentProps) {
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
        {isOfServer ? (
          <Failed error={error} retry={again} />
        ) : (
          <Failed error={error} title={common.somethingBroke} retry={() => location.reload()} />
        )}
      </Stack>
    </Center>
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
