import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { installationQuery } from '../api/queries.ts';
import { CodeBlock } from '../common/code.tsx';
import { Failed } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';
import { ConfirmEmail } from './confirm-email.tsx';
import { readFragment } from './fragment.ts';
import { Outside } from './outside.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const { session: words } = texts;

/** Sign-up without an invitation, as far as the installation allows it. */
export function SignUpPage() {
  // From a setup link, or from the link in an email that confirms it.
  const [{ token, email }] = useState(() => readFragment(location.hash));
  const { data: installation, error, refetch } = useQuery(installationQuery);
  if (token !== null)
    return (
      <Page lead={email === null ? words.signUpFirst : words.signUpLead}>
        <SignUpForm link={token} confirmed={email ?? undefined} submit={words.create} />
      </Page>
    );
  switch (installation?.signUp) {
    case undefined:
      return (
        <Page lead={words.signUpLead}>
          {error === null ? <Skeleton h={320} /> : <Failed error={error} retry={() => void refetch()} />}
        </Page>
      );
    case 'closed':
      return (
        <Outside title={words.closed} lead={words.closedWhy}>
          <Button fullWidth variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
            {words.toSignIn}
          </Button>
        </Outside>
      );
    case 'setup':
      return (
        <Outside title={words.setupTitle} lead={words.setupLead}>
          <CodeBlock label={words.terminal} code="npm run accounts -- setup-link" wrap />
        </Outside>
      );
    case 'confirm':
      return (
        <Page lead={words.confirmLead}>
          <ConfirmEmail />
        </Page>
      );
    default:
      return (
        <Page lead={installation?.signUp === 'first' ? words.signUpFirst : words.signUpLead}>
          <SignUpForm submit={words.create} />
        </Page>
      );
  }
}

function Page({ lead, children }: { lead: string; children: ReactNode }) {
  return (
    <Outside title={words.signUpTitle} lead={lead}>
      {children}
      <Text size="sm" c="dimmed" mt="md" ta="center">
        {words.already}{' '}
        <Anchor size="sm" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {words.signIn}
        </Anchor>
      </Text>
    </Outside>
  );
}
