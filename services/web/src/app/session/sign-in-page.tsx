import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { installationQuery } from '../api/queries.ts';
import { texts } from '../texts/texts.ts';
import { enter } from './enter.ts';
import { Outside } from './outside.tsx';
import { SignInForm } from './sign-in-form.tsx';

const { session: words } = texts;

export function SignInPage() {
  const { next } = useSearch({ strict: false });
  const { data: installation } = useQuery(installationQuery);
  return (
    <Outside title={words.signInTitle} lead={installation?.signUp === 'first' ? words.first : words.signInLead}>
      <SignInForm
        onSignedIn={() => enter(next)}
        beside={
          <Group justify="space-between" gap="xs">
            <Anchor renderRoot={(props) => <Link to="/forgot" {...props} />} size="sm">
              {words.forgot}
            </Anchor>
            {installation !== undefined && installation.signUp !== 'closed' && (
              <Text size="sm" c="dimmed">
                {words.newHere}{' '}
                <Anchor renderRoot={(props) => <Link to="/sign-up" {...props} />} size="sm">
                  {words.signUp}
                </Anchor>
              </Text>
            )}
          </Group>
        }
      />
    </Outside>
  );
}
