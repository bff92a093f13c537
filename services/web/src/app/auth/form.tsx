import type { PASSWORD_LENGTH as Contract, Session } from '@call-analytics/contracts';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { answered, api, errorText } from '../api/client.ts';
import { LogoMark } from '../common/logo.tsx';
import { ConnectionBanner } from '../shell/banner.tsx';
import { common, session as words } from '../texts/en/common.ts';
import classes from './auth.module.css';
import { useAction } from './requests.ts';

// The form elements of the auth pages, which load no component library. The application uses the password fields too.

/** Repeats the contract and is checked against it by its type: importing the contract would load its schemas. */
const PASSWORD_LENGTH: typeof Contract = { min: 10, max: 128 };

interface FieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  hint?: string;
  onChange(value: string): void;
}

export function Field({ label, hint, onChange, children, ...rest }: FieldProps & { children?: ReactNode }) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && <p id={`${id}-hint`}>{hint}</p>}
      <div className={classes.input}>
        <input
          id={id}
          required
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          {...rest}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {children}
      </div>
    </div>
  );
}

export function EmailField(props: Omit<FieldProps, 'label'>) {
  return <Field label={words.email} type="email" name="email" autoComplete="username" maxLength={254} {...props} />;
}

export function PasswordField(props: FieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...props} type={isShown ? 'text' : 'password'}>
      <button
        type="button"
        className={classes.reveal}
        aria-label={isShown ? words.hidePassword : words.showPassword}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        <svg
          width="18"
          height="18"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          aria-hidden="true"
        >
          <path d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12z" />
          <circle cx="12" cy="12" r="2.8" />
          {isShown && <path d="M4 20 20 4" strokeLinecap="round" />}
        </svg>
      </button>
    </Field>
  );
}

interface NewPasswordFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** For a new password. Browsers offer to generate one, and refuse one that is too short before it is sent. */
export function NewPasswordField({ label, value, onChange }: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={label}
      hint={words.passwordRule(PASSWORD_LENGTH.min)}
      name="new-password"
      autoComplete="new-password"
      minLength={PASSWORD_LENGTH.min}
      maxLength={PASSWORD_LENGTH.max}
      value={value}
      onChange={onChange}
    />
  );
}

interface FormProps {
  submit: string;
  onSubmit(): void;
  isSending: boolean;
  error: unknown;
  children: ReactNode;
}

/** A form that shows its error above its button. */
export function Form({ submit, onSubmit, isSending, error, children }: FormProps) {
  return (
    <form
      className={classes.stack}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <ErrorMessage error={error} />
      <button type="submit" className={classes.button} aria-busy={isSending} disabled={isSending}>
        {submit}
      </button>
    </form>
  );
}

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

/** The message of an error. @param retry adds a button that tries again */
export function ErrorMessage({ error, retry }: { error: unknown; retry?: () => void }) {
  if (error === null || error === undefined) return null;
  return (
    <div role="alert" className={classes.problem}>
      {errorText(error)}
      {retry !== undefined && (
        <button type="button" className={classes.button} data-plain onClick={retry}>
          {common.retry}
        </button>
      )}
    </div>
  );
}

interface ButtonLinkProps {
  href: string;
  isPlain?: boolean;
  children: ReactNode;
}

/** A link that looks like a button. */
export function ButtonLink({ href, isPlain = true, children }: ButtonLinkProps) {
  return (
    <a className={classes.button} data-plain={isPlain || undefined} href={href}>
      {children}
    </a>
  );
}

/** A placeholder while content loads. */
export function Loading() {
  return <div className={classes.loading} role="status" aria-label={common.loading} />;
}

/** The frame of each auth page. */
export function AuthLayout({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <>
      <ConnectionBanner />
      <main className={classes.outside}>
        <title>{`${title} · ${common.product}`}</title>
        <div className={classes.logo}>
          <LogoMark color="var(--app-accent)" />
          {common.product}
        </div>
        <div className={classes.card}>
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
          <div className={classes.content}>{children}</div>
        </div>
      </main>
    </>
  );
}
