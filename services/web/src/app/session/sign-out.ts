import { answered, api } from '../api/client.ts';
import { tellOtherTabs } from './other-tabs.ts';

/** Ends the session. The page is loaded anew, so that nothing of the account stays in its memory. */
export async function signOut(): Promise<void> {
  await answered(api.DELETE('/app/session'));
  tellOtherTabs();
  location.assign('/sign-in');
}
