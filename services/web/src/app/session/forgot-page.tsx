import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { installationQuery } from '../api/queries.ts';
import { CodeBlock } from '../common/code.tsx';
import { Failed, FormError } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';
import { Outside } from './outside.tsx';

const { session: words } = texts;

export function ForgotPage() {
  const { data: installation, error, refetch } = useQuery(installationQuery);
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => answered(api.POST('/app/password-resets', { body: { email } })) });
  const byMail = installation?.passwordReset === 'mail';
  const back = (
    <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
      {words.toSignIn}
    </Anchor>
  );
  if (ask.isSuccess)
    return (
      <Outside title={words.sent} lead={words.sentWhy(email)}>
        <Stack>{back}</Stack>
      </Outside>
    );
  return (
    <Outside title={words.forgotTitle} lead={byMail ? words.forgotLead : undefined}>
      <Stack>
        {installation === undefined &&
          (error === null ? <Skeleton h={90} /> : <Failed error={error} retry={() => void refetch()} />)}
        {installation?.passwordReset === 'operator' && (
          <>
            <Text size="sm">{words.operator}</Text>
            <CodeBlock label={texts.session.terminal} code="npm run accounts -- reset-password you@example.com" wrap />
          </>
        )}
        {byMail && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              ask.mutate();
            }}
          >
            <Stack>
              <TextInput
                label={words.email}
                type="email"
                name="email"
                autoComplete="username"
                required
                withAsterisk={false}
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <FormError error={ask.error} />
              <Button type="submit" loading={ask.isPending}>
                {words.sendLink}
              </Button>
            </Stack>
          </form>
        )}
        {back}
      </Stack>
    </Outside>
  );
}
