import type { Session } from '@call-analytics/contracts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { foundSignedOut, signedOut } from '../api/signed-out.ts';
import { hearOtherTabs } from './other-tabs.ts';
import { SessionContext } from './use-session.ts';

/**
 * Gives the pages the session they were opened with. When it is over they stay as they are, under a dialog; when somebody else has signed in, in another tab, the page
 * is loaded anew: what it shows is none of their business.
 */
export function SignedIn({ session, children }: { session: Session; children: ReactNode }) {
  const { data } = useQuery(sessionQuery);
  const last = useRef(session);
  const isSame = data?.account.id === session.account.id && data.user.id === session.user.id;
  if (data && isSame) last.current = data;
  useEffect(() => {
    if (data === null) foundSignedOut();
    else if (data !== undefined && !isSame) location.reload();
    else if (data !== undefined) signedOut.set(false);
  }, [data, isSame]);
  useEffect(() => hearOtherTabs(() => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })), []);
  return <SessionContext value={last.current}>{children}</SessionContext>;
}
