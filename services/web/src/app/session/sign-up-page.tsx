import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { installationQuery } from '../api/queries.ts';
import { Failed } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';
import { Outside } from './outside.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const { session: words } = texts;

export function SignUpPage() {
  const { data: installation, error, refetch } = useQuery(installationQuery);
  if (installation?.signUp === 'closed')
    return (
      <Outside title={words.closed} lead={words.closedWhy}>
        <Button fullWidth variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {words.toSignIn}
        </Button>
      </Outside>
    );
  return (
    <Outside title={words.signUpTitle} lead={installation?.signUp === 'first' ? words.signUpFirst : words.signUpLead}>
      {installation !== undefined && <SignUpForm submit={words.create} />}
      {installation === undefined && error === null && <Skeleton h={320} />}
      {installation === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
      <Text size="sm" c="dimmed" mt="md" ta="center">
        {words.already}{' '}
        <Anchor size="sm" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {words.signIn}
        </Anchor>
      </Text>
    </Outside>
  );
}
