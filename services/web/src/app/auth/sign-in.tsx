import type { Session } from '@call-analytics/contracts';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { session as words } from '../texts/en/session.ts';
import classes from './auth.module.css';
import { enter } from './enter.ts';
import { AuthLayout, EmailField, Form, PasswordField } from './form.tsx';
import { loadInstallation, useAction, useLoaded, useSignedOutOnly } from './requests.ts';

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
      <EmailField data-autofocus={known === '' || undefined} value={email} onChange={setEmail} />
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

export function SignInPage() {
  const next = useSignedOutOnly();
  const { data: installation } = useLoaded(loadInstallation);
  return (
    <AuthLayout title={words.signInTitle} lead={installation?.signUp === 'first' ? words.first : words.signInLead}>
      <SignInForm onSignedIn={() => enter(next)} />
      <div className={classes.row}>
        <a href="/forgot">{words.forgot}</a>
        {installation !== undefined && installation.signUp !== 'closed' && (
          <span>
            {words.newHere} <a href="/sign-up">{words.signUp}</a>
          </span>
        )}
      </div>
    </AuthLayout>
  );
}
