import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { session as words } from '../texts/outside.ts';
import { Field, Form } from './form.tsx';
import { useAction } from './requests.ts';

/** The first step of a sign-up where emails are confirmed: requests the link, and requests another one. */
export function ConfirmEmail() {
  const [email, setEmail] = useState('');
  const request = useAction(() => answered(api.POST('/app/sign-ups', { body: { email } })));
  return (
    <Form
      submit={request.isDone ? words.sendAgain : words.sendLink}
      onSubmit={request.run}
      isSending={request.isRunning}
      error={request.error}
    >
      <Field
        label={words.email}
        type="email"
        name="email"
        autoComplete="username"
        maxLength={254}
        value={email}
        onChange={setEmail}
      />
      {request.isDone && <span role="status">{words.confirmSent}</span>}
    </Form>
  );
}
