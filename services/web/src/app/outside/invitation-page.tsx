import { useCallback, useEffect, useState } from 'react';
import { answered, api } from '../api/client.ts';
import { mayPass } from '../api/problem.ts';
import { wordsFor } from '../api/words.ts';
import { shownMoment } from '../common/dates.ts';
import { hearOtherTabs, tellOtherTabs } from '../session/other-tabs.ts';
import { common, session as words } from '../texts/outside.ts';
import { ButtonLink, formClasses, Loading, Problem } from './form.tsx';
import { readFragment } from './fragment.ts';
import { Frame } from './frame.tsx';
import { loadSession } from './loads.ts';
import { useAction, useLoaded } from './requests.ts';
import { SignUpForm } from './sign-up-form.tsx';

/** Where an invitation leads, and the link that claims an account made on the command line. */
export function InvitationPage() {
  const [{ token }] = useState(() => readFragment(location.hash));
  const find = useCallback(
    () => answered(api.POST('/app/invitations/find', { body: { token: token ?? '' } })),
    [token],
  );
  const invitation = useLoaded(token === null ? null : find);
  const { data: session, retry: lookAgain } = useLoaded(loadSession);
  useEffect(() => hearOtherTabs(lookAgain), [lookAgain]);
  const leave = useAction(
    () => answered(api.DELETE('/app/session')),
    () => {
      tellOtherTabs();
      lookAgain();
    },
  );
  const toSignIn = <ButtonLink href="/sign-in">{words.toSignIn}</ButtonLink>;
  if (token === null)
    return (
      <Frame title={words.linkBad} lead={words.linkIncomplete}>
        {toSignIn}
      </Frame>
    );
  if (invitation.error !== null) {
    const isFinal = !mayPass(invitation.error);
    return (
      <Frame title={words.linkBad} lead={isFinal ? wordsFor(invitation.error) : undefined}>
        {isFinal ? toSignIn : <Problem error={invitation.error} retry={invitation.retry} />}
      </Frame>
    );
  }
  if (session)
    return (
      <Frame title={words.signedInAs(session.user.email)} lead={words.signedInAsWhy}>
        <Problem error={leave.error} />
        <button type="button" className={formClasses.button} data-plain disabled={leave.isRunning} onClick={leave.run}>
          {words.signOutFirst}
        </button>
        <ButtonLink href="/calls" isPlain={false}>
          {common.toCalls}
        </ButtonLink>
      </Frame>
    );
  if (invitation.data === undefined)
    return (
      <Frame title={common.loading}>
        <Loading />
      </Frame>
    );
  const { accountName, role, expiresAt } = invitation.data;
  return (
    <Frame title={words.joinTitle(accountName)} lead={words.joinLead(role, shownMoment(expiresAt))}>
      <SignUpForm invitation={token} submit={words.join} />
    </Frame>
  );
}
