import type { Session } from '@call-analytics/contracts';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answered, api } from '../api/client.ts';
import { FormError } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';

const { session: words } = texts;

export function SignInForm({
  email: known = '',
  onSignedIn,
  beside,
}: {
  email?: string;
  onSignedIn: (session: Session) => void;
  beside?: ReactNode;
}) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => answered(api.POST('/app/session', { body: { email, password } })),
    onSuccess: onSignedIn,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      <Stack gap="md">
        <TextInput
          label={words.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus={known === '' || undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={words.password}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={known !== '' || undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormError error={signIn.error} />
        <Button type="submit" fullWidth loading={signIn.isPending}>
          {words.signIn}
        </Button>
        {beside}
      </Stack>
    </form>
  );
}
