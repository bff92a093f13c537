import type { SignUp } from '@call-analytics/contracts';
import { type ReactNode, useState } from 'react';
import { answered, api } from '../api/client.ts';
import { session as words } from '../texts/en/session.ts';
import classes from './auth.module.css';
import { enter } from './enter.ts';
import { AuthLayout, ButtonLink, EmailField, ErrorMessage, Field, Form, Loading, NewPasswordField } from './form.tsx';
import { loadInstallation, readFragment, useAction, useLoaded, useSignedOutOnly } from './requests.ts';

/** Sign-up without an invitation, if the installation allows it. */
export function SignUpPage() {
  useSignedOutOnly();
  // From a setup link or an email confirmation link.
  const [{ token, email }] = useState(() => readFragment(location.hash));
  const { data: installation, error, retry } = useLoaded(loadInstallation);
  if (token !== null)
    return (
      <Page lead={email === null ? words.signUpFirst : words.signUpLead}>
        <SignUpForm link={token} confirmed={email ?? undefined} submit={words.create} />
      </Page>
    );
  switch (installation?.signUp) {
    case undefined:
      return (
        <Page lead={words.signUpLead}>
          {error === null ? <Loading /> : <ErrorMessage error={error} retry={retry} />}
        </Page>
      );
    case 'closed':
      return (
        <AuthLayout title={words.closed} lead={words.closedWhy}>
          <ButtonLink href="/sign-in">{words.toSignIn}</ButtonLink>
        </AuthLayout>
      );
    case 'setup':
      return (
        <AuthLayout title={words.setupTitle} lead={words.setupLead}>
          <pre className={classes.command}>npm run accounts -- setup-link</pre>
        </AuthLayout>
      );
    case 'confirm':
      return (
        <Page lead={words.confirmLead}>
          <ConfirmEmail />
        </Page>
      );
    default:
      return (
        <Page lead={installation?.signUp === 'first' ? words.signUpFirst : words.signUpLead}>
          <SignUpForm submit={words.create} />
        </Page>
      );
  }
}

function Page({ lead, children }: { lead: string; children: ReactNode }) {
  return (
    <AuthLayout title={words.signUpTitle} lead={lead}>
      {children}
      <div className={classes.row} data-center>
        <span>
          {words.already} <a href="/sign-in">{words.signIn}</a>
        </span>
      </div>
    </AuthLayout>
  );
}

interface Props {
  /** The token of an invitation: a user with one joins an account, every other user creates one. */
  invitation?: string;
  /** The token of a setup link or of a confirmed email. */
  link?: string | undefined;
  /** The confirmed email, which cannot be changed. */
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
      <EmailField readOnly={confirmed !== undefined} value={email} onChange={setEmail} />
      <NewPasswordField label={words.password} value={password} onChange={setPassword} />
    </Form>
  );
}

/** The first step of a sign-up with email confirmation: requests the link. */
function ConfirmEmail() {
  const [email, setEmail] = useState('');
  const request = useAction(() => answered(api.POST('/app/sign-ups', { body: { email } })));
  return (
    <Form
      submit={request.isDone ? words.sendAgain : words.sendLink}
      onSubmit={request.run}
      isSending={request.isRunning}
      error={request.error}
    >
      <EmailField value={email} onChange={setEmail} />
      {request.isDone && <span role="status">{words.confirmSent}</span>}
    </Form>
  );
}
