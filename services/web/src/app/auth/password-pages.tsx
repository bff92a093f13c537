import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { session as words } from '../texts/en/session.ts';
import classes from './auth.module.css';
import { AuthLayout, ButtonLink, EmailField, ErrorMessage, Form, Loading, NewPasswordField } from './form.tsx';
import { loadInstallation, readFragment, useAction, useLoaded } from './requests.ts';

export function ForgotPage() {
  const { data: installation, error, retry } = useLoaded(loadInstallation);
  const [email, setEmail] = useState('');
  const ask = useAction(() => answered(api.POST('/app/password-resets', { body: { email } })));
  const byMail = installation?.passwordReset === 'mail';
  const back = (
    <div className={classes.row} data-center>
      <a href="/sign-in">{words.toSignIn}</a>
    </div>
  );
  if (ask.isDone)
    return (
      <AuthLayout title={words.sent} lead={words.sentWhy(email)}>
        {back}
      </AuthLayout>
    );
  return (
    <AuthLayout title={words.forgotTitle} lead={byMail ? words.forgotLead : undefined}>
      {installation === undefined && (error === null ? <Loading /> : <ErrorMessage error={error} retry={retry} />)}
      {installation?.passwordReset === 'operator' && (
        <>
          <span>{words.operator}</span>
          <pre className={classes.command}>npm run accounts -- reset-password you@example.com</pre>
        </>
      )}
      {byMail && (
        <Form submit={words.sendLink} onSubmit={ask.run} isSending={ask.isRunning} error={ask.error}>
          <EmailField value={email} onChange={setEmail} />
        </Form>
      )}
      {back}
    </AuthLayout>
  );
}

export function ResetPage() {
  const [{ token }] = useState(() => readFragment(location.hash));
  const [password, setPassword] = useState('');
  const reset = useAction(() =>
    answered(api.PUT('/app/password-resets', { body: { token: token ?? '', newPassword: password } })),
  );
  if (token === null)
    return (
      <AuthLayout title={words.linkBad} lead={words.linkIncomplete}>
        <ButtonLink href="/sign-in">{words.toSignIn}</ButtonLink>
      </AuthLayout>
    );
  if (reset.isDone)
    return (
      <AuthLayout title={words.resetDone} lead={words.resetDoneWhy}>
        <ButtonLink href="/sign-in" isPlain={false}>
          {words.signIn}
        </ButtonLink>
      </AuthLayout>
    );
  return (
    <AuthLayout title={words.resetTitle} lead={words.resetLead}>
      <Form submit={words.setPassword} onSubmit={reset.run} isSending={reset.isRunning} error={reset.error}>
        <NewPasswordField label={words.newPassword} value={password} onChange={setPassword} />
      </Form>
    </AuthLayout>
  );
}
