import type { SignUp } from '@call-analytics/contracts';
import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { FormError } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';
import { enter } from './enter.ts';
import { NewPasswordInput } from './new-password-input.tsx';

const { session: words } = texts;

interface Props {
  /** The token of an invitation: who has one joins an account, everybody else creates a new one. */
  invitation?: string;
  /** The token of a setup link or of a confirmed email. */
  link?: string | undefined;
  /** The email that was confirmed: it cannot be changed any more. */
  confirmed?: string | undefined;
  submit: string;
}

export function SignUpForm({ invitation, link, confirmed, submit }: Props) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState(confirmed ?? '');
  const [password, setPassword] = useState('');
  const [accountName, setAccountName] = useState('');
  const signUp = useMutation({
    mutationFn: () => {
      const body: SignUp = {
        name,
        email,
        password,
        ...(invitation === undefined ? { accountName, ...(link && { link }) } : { invitation }),
      };
      return answered(api.POST('/app/users', { body }));
    },
    onSuccess: () => enter(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signUp.mutate();
      }}
    >
      <Stack gap="md">
        <TextInput
          label={words.yourName}
          name="name"
          autoComplete="name"
          maxLength={200}
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {invitation === undefined && (
          <TextInput
            label={words.accountName}
            description={words.accountNameHint}
            name="organization"
            autoComplete="organization"
            maxLength={200}
            required
            withAsterisk={false}
            value={accountName}
            onChange={(event) => setAccountName(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={words.email}
          type="email"
          name="email"
          autoComplete="username"
          maxLength={254}
          readOnly={confirmed !== undefined}
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NewPasswordInput label={words.password} value={password} onChange={setPassword} />
        <FormError error={signUp.error} />
        <Button type="submit" fullWidth loading={signUp.isPending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
