import { enter } from '../session/enter.ts';
import { SignInForm } from '../session/sign-in-form.tsx';
import { session as words } from '../texts/outside.ts';
import { formClasses } from './form.tsx';
import { Frame } from './frame.tsx';
import { loadInstallation } from './loads.ts';
import { useOnlyOutside } from './only-outside.ts';
import { useLoaded } from './requests.ts';

export function SignInPage() {
  const next = useOnlyOutside();
  const { data: installation } = useLoaded(loadInstallation);
  return (
    <Frame title={words.signInTitle} lead={installation?.signUp === 'first' ? words.first : words.signInLead}>
      <SignInForm onSignedIn={() => enter(next)} />
      <div className={formClasses.row}>
        <a href="/forgot">{words.forgot}</a>
        {installation !== undefined && installation.signUp !== 'closed' && (
          <span>
            {words.newHere} <a href="/sign-up">{words.signUp}</a>
          </span>
        )}
      </div>
    </Frame>
  );
}
