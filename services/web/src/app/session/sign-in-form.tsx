import type { Session } from '@call-analytics/contracts';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { Field, Form, PasswordField } from '../outside/form.tsx';
import { useAction } from '../outside/requests.ts';
import { session as words } from '../texts/outside.ts';

/** @param email of the user whose session has ended, if it is known */
export function SignInForm({
  email: known = '',
  onSignedIn,
}: {
  email?: string;
  onSignedIn: (session: Session) => void;
}) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const signIn = useAction(() => answered(api.POST('/app/session', { body: { email, password } })), onSignedIn);
  return (
    <Form submit={words.signIn} onSubmit={signIn.run} isSending={signIn.isRunning} error={signIn.error}>
      <Field
        label={words.email}
        type="email"
        name="email"
        autoComplete="username"
        data-autofocus={known === '' || undefined}
        value={email}
        onChange={setEmail}
      />
      <PasswordField
        label={words.password}
        name="password"
        autoComplete="current-password"
        data-autofocus={known !== '' || undefined}
        value={password}
        onChange={setPassword}
      />
    </Form>
  );
}
