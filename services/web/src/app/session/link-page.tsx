import { Button, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { answered, api } from '../api/client.ts';
import { mayPass } from '../api/problem.ts';
import { Failed, wordsFor } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';
import { enter } from './enter.ts';
import { readFragment } from './fragment.ts';
import { Outside } from './outside.tsx';

const { session: words } = texts;

/** Signs in by a link that the demo or an operator made. */
export function LinkPage() {
  const [{ token, next }] = useState(() => readFragment(location.hash));
  // A query, not a mutation: however often the page is rendered, the link is used once.
  const signIn = useQuery({
    queryKey: ['link', token],
    queryFn: () => answered(api.POST('/app/session/link', { body: { token: token ?? '' } })),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useEffect(() => {
    if (signIn.isSuccess) enter(next);
  }, [signIn.isSuccess, next]);
  if (token !== null && (signIn.error === null || signIn.isFetching))
    return (
      <Outside title={words.linkTitle}>
        <Stack align="center">
          <Loader />
        </Stack>
      </Outside>
    );
  const isFinal = token === null || !mayPass(signIn.error);
  return (
    <Outside
      title={words.linkBad}
      lead={token === null ? words.linkIncomplete : isFinal ? wordsFor(signIn.error) : undefined}
    >
      {isFinal ? (
        <Button fullWidth variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {words.toSignIn}
        </Button>
      ) : (
        <Failed error={signIn.error} retry={() => void signIn.refetch()} />
      )}
    </Outside>
  );
}
