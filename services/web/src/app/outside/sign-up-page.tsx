import { type ReactNode, useState } from 'react';
import { session as words } from '../texts/outside.ts';
import { ConfirmEmail } from './confirm-email.tsx';
import { ButtonLink, formClasses, Loading, Problem } from './form.tsx';
import { readFragment } from './fragment.ts';
import { Frame } from './frame.tsx';
import { loadInstallation } from './loads.ts';
import { useOnlyOutside } from './only-outside.ts';
import { useLoaded } from './requests.ts';
import { SignUpForm } from './sign-up-form.tsx';

/** Sign-up without an invitation, as far as the installation allows it. */
export function SignUpPage() {
  useOnlyOutside();
  // From a setup link, or from the link in an email that confirms it.
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
        <Page lead={words.signUpLead}>{error === null ? <Loading /> : <Problem error={error} retry={retry} />}</Page>
      );
    case 'closed':
      return (
        <Frame title={words.closed} lead={words.closedWhy}>
          <ButtonLink href="/sign-in">{words.toSignIn}</ButtonLink>
        </Frame>
      );
    case 'setup':
      return (
        <Frame title={words.setupTitle} lead={words.setupLead}>
          <pre className={formClasses.command}>npm run accounts -- setup-link</pre>
        </Frame>
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
    <Frame title={words.signUpTitle} lead={lead}>
      {children}
      <div className={formClasses.row} data-center>
        <span>
          {words.already} <a href="/sign-in">{words.signIn}</a>
        </span>
      </div>
    </Frame>
  );
}
