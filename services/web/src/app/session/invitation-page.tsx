import { Button, Group, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { mayPass } from '../api/problem.ts';
import { sessionQuery } from '../api/queries.ts';
import { shownMoment } from '../common/dates.ts';
import { Failed, FormError, wordsFor } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';
import { readFragment } from './fragment.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { Outside } from './outside.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const { session: words } = texts;

/** Where an invitation leads, and the link that claims an account made on the command line. */
export function InvitationPage() {
  const [{ token }] = useState(() => readFragment(location.hash));
  const { data: session, refetch } = useQuery(sessionQuery);
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => answered(api.POST('/app/invitations/find', { body: { token: token ?? '' } })),
    enabled: token !== null,
  });
  const leave = useMutation({
    mutationFn: () => answered(api.DELETE('/app/session')),
    onSuccess: () => {
      tellOtherTabs();
      return refetch();
    },
  });
  const toSignIn = (
    <Button fullWidth variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
      {words.toSignIn}
    </Button>
  );
  if (token === null)
    return (
      <Outside title={words.linkBad} lead={words.linkIncomplete}>
        {toSignIn}
      </Outside>
    );
  if (invitation.error !== null && !invitation.isFetching)
    return (
      <Outside title={words.linkBad} lead={!mayPass(invitation.error) ? wordsFor(invitation.error) : undefined}>
        {!mayPass(invitation.error) ? (
          toSignIn
        ) : (
          <Failed error={invitation.error} retry={() => void invitation.refetch()} />
        )}
      </Outside>
    );
  if (session)
    return (
      <Outside title={words.signedInAs(session.user.email)} lead={words.signedInAsWhy}>
        <FormError error={leave.error} />
        <Group grow>
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
            {words.signOutFirst}
          </Button>
          <Button renderRoot={(props) => <Link to="/calls" {...props} />}>{texts.common.toCalls}</Button>
        </Group>
      </Outside>
    );
  if (invitation.data === undefined)
    return (
      <Outside title={texts.common.loading}>
        <Skeleton h={300} />
      </Outside>
    );
  const { accountName, role, expiresAt } = invitation.data;
  return (
    <Outside title={words.joinTitle(accountName)} lead={words.joinLead(role, shownMoment(expiresAt))}>
      <SignUpForm invitation={token} submit={words.join} />
    </Outside>
  );
}
