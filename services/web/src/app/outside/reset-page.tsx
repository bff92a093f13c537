import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { session as words } from '../texts/outside.ts';
import { ButtonLink, Form, NewPasswordField } from './form.tsx';
import { readFragment } from './fragment.ts';
import { Frame } from './frame.tsx';
import { useAction } from './requests.ts';

export function ResetPage() {
  const [{ token }] = useState(() => readFragment(location.hash));
  const [password, setPassword] = useState('');
  const reset = useAction(() =>
    answered(api.PUT('/app/password-resets', { body: { token: token ?? '', newPassword: password } })),
  );
  if (token === null)
    return (
      <Frame title={words.linkBad} lead={words.linkIncomplete}>
        <ButtonLink href="/sign-in">{words.toSignIn}</ButtonLink>
      </Frame>
    );
  if (reset.isDone)
    return (
      <Frame title={words.resetDone} lead={words.resetDoneWhy}>
        <ButtonLink href="/sign-in" isPlain={false}>
          {words.signIn}
        </ButtonLink>
      </Frame>
    );
  return (
    <Frame title={words.resetTitle} lead={words.resetLead}>
      <Form submit={words.setPassword} onSubmit={reset.run} isSending={reset.isRunning} error={reset.error}>
        <NewPasswordField label={words.newPassword} value={password} onChange={setPassword} />
      </Form>
    </Frame>
  );
}
