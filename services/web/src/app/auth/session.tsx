import type { Session } from '@call-analytics/contracts';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { answered, api } from '../api/client.ts';
import { announceSessionChange, onSessionChange, reportSignedOut, signedOut } from '../api/connection.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';

const SessionContext = createContext<Session | null>(null);

/** The session. Only for pages inside the shell, which need one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session outside the shell');
  return session;
}

/**
 * Provides the session to the pages, which stay under a dialog when it ends. When another user signs in, in another
 * tab, the page reloads, so that it shows nothing of the first user's account.
 */
export function SignedIn({ session, children }: { session: Session; children: ReactNode }) {
  const { data } = useQuery(sessionQuery);
  const last = useRef(session);
  const isSame = data?.account.id === session.account.id && data.user.id === session.user.id;
  if (data && isSame) last.current = data;
  useEffect(() => {
    if (data === null) reportSignedOut();
    else if (data !== undefined && !isSame) location.reload();
    else if (data !== undefined) signedOut.set(false);
  }, [data, isSame]);
  useEffect(() => onSessionChange(() => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })), []);
  return <SessionContext value={last.current}>{children}</SessionContext>;
}

/** Ends the session. Reloads, so that nothing of the account stays in memory. */
export async function signOut(): Promise<void> {
  await answered(api.DELETE('/app/session'));
  announceSessionChange();
  location.assign('/sign-in');
}
