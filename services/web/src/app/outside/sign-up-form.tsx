import type { SignUp } from '@call-analytics/contracts';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { enter } from '../session/enter.ts';
import { session as words } from '../texts/outside.ts';
import { Field, Form, NewPasswordField } from './form.tsx';
import { useAction } from './requests.ts';

interface Props {
  /** The token of an invitation: a user with one joins an account, every other user creates one. */
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
  const signUp = useAction(
    () => {
      const account = invitation === undefined ? { accountName, ...(link && { link }) } : { invitation };
      const body: SignUp = { name, email, password, ...account };
      return answered(api.POST('/app/users', { body }));
    },
    () => enter(),
  );
  return (
    <Form submit={submit} onSubmit={signUp.run} isSending={signUp.isRunning} error={signUp.error}>
      <Field label={words.yourName} name="name" autoComplete="name" maxLength={200} value={name} onChange={setName} />
      {invitation === undefined && (
        <Field
          label={words.accountName}
          hint={words.accountNameHint}
          name="organization"
          autoComplete="organization"
          maxLength={200}
          value={accountName}
          onChange={setAccountName}
        />
      )}
      <Field
        label={words.email}
        type="email"
        name="email"
        autoComplete="username"
        maxLength={254}
        readOnly={confirmed !== undefined}
        value={email}
        onChange={setEmail}
      />
      <NewPasswordField label={words.password} value={password} onChange={setPassword} />
    </Form>
  );
}
