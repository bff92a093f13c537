import { useEffect } from 'react';
import { answered, api } from '../api/client.ts';
import { mayPass } from '../api/problem.ts';
import { wordsFor } from '../api/words.ts';
import { enter } from '../session/enter.ts';
import { session as words } from '../texts/outside.ts';
import { ButtonLink, Loading, Problem } from './form.tsx';
import { readFragment } from './fragment.ts';
import { Frame } from './frame.tsx';
import { useLoaded } from './requests.ts';

const { token, next } = readFragment(location.hash);
let using: Promise<unknown> | null = null;

/** However often the page is rendered, the link is used once; again only when nothing came of it. */
function consumeLink(): Promise<unknown> {
  using ??= answered(api.POST('/app/session/link', { body: { token: token ?? '' } })).catch((error) => {
    if (mayPass(error)) using = null;
    throw error;
  });
  return using;
}

/** Signs in by a link that the demo or an operator made. */
export function LinkPage() {
  const { data: session, error, retry } = useLoaded(token === null ? null : consumeLink);
  useEffect(() => {
    if (session !== undefined) enter(next);
  }, [session]);
  if (token !== null && error === null)
    return (
      <Frame title={words.linkTitle}>
        <Loading />
      </Frame>
    );
  const isFinal = token === null || !mayPass(error);
  return (
    <Frame title={words.linkBad} lead={token === null ? words.linkIncomplete : isFinal ? wordsFor(error) : undefined}>
      {isFinal ? <ButtonLink href="/sign-in">{words.toSignIn}</ButtonLink> : <Problem error={error} retry={retry} />}
    </Frame>
  );
}
