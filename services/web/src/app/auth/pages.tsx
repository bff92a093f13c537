import type { SignUp } from '@call-analytics/contracts';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { answered, api, errorText, isTransient } from '../api/client.ts';
import { announceSessionChange, enter, onSessionChange } from '../api/connection.ts';
import { shownMoment } from '../common/format.ts';
import { common, session as words } from '../texts/en/common.ts';
import classes from './auth.module.css';
import {
  AuthLayout,
  ButtonLink,
  EmailField,
  ErrorMessage,
  Field,
  Form,
  Loading,
  NewPasswordField,
  SignInForm,
} from './form.tsx';
import { loadInstallation, loadSession, readFragment, useAction, useLoaded, useSignedOutOnly } from './requests.ts';

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

function SignUpForm({ invitation, link, confirmed, submit }: Props) {
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

/** The page of an invitation link, and of the claim link of an account that was created on the command line. */
export function InvitationPage() {
  const [{ token }] = useState(() => readFragment(location.hash));
  const find = useCallback(
    () => answered(api.POST('/app/invitations/find', { body: { token: token ?? '' } })),
    [token],
  );
  const invitation = useLoaded(token === null ? null : find);
  const { data: session, retry: lookAgain } = useLoaded(loadSession);
  useEffect(() => onSessionChange(lookAgain), [lookAgain]);
  const leave = useAction(
    () => answered(api.DELETE('/app/session')),
    () => {
      announceSessionChange();
      lookAgain();
    },
  );
  if (token === null) return <BadLink />;
  if (invitation.error !== null) return <BadLink error={invitation.error} retry={invitation.retry} />;
  if (session)
    return (
      <AuthLayout title={words.signedInAs(session.user.email)} lead={words.signedInAsWhy}>
        <ErrorMessage error={leave.error} />
        <button type="button" className={classes.button} data-plain disabled={leave.isRunning} onClick={leave.run}>
          {words.signOutFirst}
        </button>
        <ButtonLink href="/calls" isPlain={false}>
          {common.toCalls}
        </ButtonLink>
      </AuthLayout>
    );
  if (invitation.data === undefined)
    return (
      <AuthLayout title={common.loading}>
        <Loading />
      </AuthLayout>
    );
  const { accountName, role, expiresAt } = invitation.data;
  return (
    <AuthLayout title={words.joinTitle(accountName)} lead={words.joinLead(role, shownMoment(expiresAt))}>
      <SignUpForm invitation={token} submit={words.join} />
    </AuthLayout>
  );
}

/** @param error why the server does not take the link; without one, a part of the link is missing */
function BadLink({ error, retry }: { error?: unknown; retry?: () => void }) {
  const isFinal = retry === undefined || !isTransient(error);
  return (
    <AuthLayout
      title={words.linkBad}
      lead={retry === undefined ? words.linkIncomplete : isFinal ? errorText(error) : undefined}
    >
      {isFinal ? (
        <ButtonLink href="/sign-in">{words.toSignIn}</ButtonLink>
      ) : (
        <ErrorMessage error={error} retry={retry} />
      )}
    </AuthLayout>
  );
}

const { token, next } = readFragment(location.hash);
let using: Promise<unknown> | null = null;

/** The link is used once, however often the page renders, and again only after a transient failure. */
function consumeLink(): Promise<unknown> {
  using ??= answered(api.POST('/app/session/link', { body: { token: token ?? '' } })).catch((error) => {
    if (isTransient(error)) using = null;
    throw error;
  });
  return using;
}

/** Signs in by a one-time link of the demo or an operator. */
export function LinkPage() {
  const { data: session, error, retry } = useLoaded(token === null ? null : consumeLink);
  useEffect(() => {
    if (session !== undefined) enter(next);
  }, [session]);
  if (token !== null && error === null)
    return (
      <AuthLayout title={words.linkTitle}>
        <Loading />
      </AuthLayout>
    );
  return token === null ? <BadLink /> : <BadLink error={error} retry={retry} />;
}

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
  if (token === null) return <BadLink />;
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
