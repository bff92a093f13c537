import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { FormError } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';

const { session: words } = texts;

/** The first step of a sign-up where emails are confirmed: requests the link, and requests another one. */
export function ConfirmEmail() {
  const [email, setEmail] = useState('');
  const request = useMutation({ mutationFn: () => answered(api.POST('/app/sign-ups', { body: { email } })) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        request.mutate();
      }}
    >
      <Stack>
        <TextInput
          label={words.email}
          type="email"
          name="email"
          autoComplete="username"
          maxLength={254}
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <FormError error={request.error} />
        {request.isSuccess && (
          <Text size="sm" role="status">
            {words.confirmSent}
          </Text>
        )}
        <Button type="submit" loading={request.isPending} {...(request.isSuccess ? { variant: 'default' } : {})}>
          {request.isSuccess ? words.sendAgain : words.sendLink}
        </Button>
      </Stack>
    </form>
  );
}
