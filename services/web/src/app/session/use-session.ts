import type { Session } from '@call-analytics/contracts';
import { createContext, useContext } from 'react';

export const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Only for pages inside the shell, which are shown to nobody else. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session outside the shell');
  return session;
}
