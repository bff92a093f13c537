import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { FormError } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';
import { readFragment } from './fragment.ts';
import { NewPasswordInput } from './new-password-input.tsx';
import { Outside } from './outside.tsx';

const { session: words } = texts;

export function ResetPage() {
  const [{ token }] = useState(() => readFragment(location.hash));
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () =>
      answered(api.PUT('/app/password-resets', { body: { token: token ?? '', newPassword: password } })),
  });
  const toSignIn = (
    <Button
      fullWidth
      {...(reset.isSuccess ? {} : { variant: 'default' })}
      renderRoot={(props) => <Link to="/sign-in" {...props} />}
    >
      {reset.isSuccess ? words.signIn : words.toSignIn}
    </Button>
  );
  if (token === null)
    return (
      <Outside title={words.linkBad} lead={words.linkIncomplete}>
        {toSignIn}
      </Outside>
    );
  if (reset.isSuccess)
    return (
      <Outside title={words.resetDone} lead={words.resetDoneWhy}>
        {toSignIn}
      </Outside>
    );
  return (
    <Outside title={words.resetTitle} lead={words.resetLead}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate();
        }}
      >
        <Stack>
          <NewPasswordInput label={words.newPassword} value={password} onChange={setPassword} />
          <FormError error={reset.error} />
          <Button type="submit" loading={reset.isPending}>
            {words.setPassword}
          </Button>
        </Stack>
      </form>
    </Outside>
  );
}
