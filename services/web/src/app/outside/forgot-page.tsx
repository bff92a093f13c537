import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { session as words } from '../texts/outside.ts';
import { Field, Form, formClasses, Loading, Problem } from './form.tsx';
import { Frame } from './frame.tsx';
import { loadInstallation } from './loads.ts';
import { useAction, useLoaded } from './requests.ts';

export function ForgotPage() {
  const { data: installation, error, retry } = useLoaded(loadInstallation);
  const [email, setEmail] = useState('');
  const ask = useAction(() => answered(api.POST('/app/password-resets', { body: { email } })));
  const byMail = installation?.passwordReset === 'mail';
  const back = (
    <div className={formClasses.row} data-center>
      <a href="/sign-in">{words.toSignIn}</a>
    </div>
  );
  if (ask.isDone)
    return (
      <Frame title={words.sent} lead={words.sentWhy(email)}>
        {back}
      </Frame>
    );
  return (
    <Frame title={words.forgotTitle} lead={byMail ? words.forgotLead : undefined}>
      {installation === undefined && (error === null ? <Loading /> : <Problem error={error} retry={retry} />)}
      {installation?.passwordReset === 'operator' && (
        <>
          <span>{words.operator}</span>
          <pre className={formClasses.command}>npm run accounts -- reset-password you@example.com</pre>
        </>
      )}
      {byMail && (
        <Form submit={words.sendLink} onSubmit={ask.run} isSending={ask.isRunning} error={ask.error}>
          <Field
            label={words.email}
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
          />
        </Form>
      )}
      {back}
    </Frame>
  );
}
