import { useEffect } from 'react';
import { safeNext } from '../session/next.ts';
import { loadSession } from './loads.ts';
import { useLoaded } from './requests.ts';

/** Sends users who are signed in to where they wanted to go. @returns the address after signing in, as the link has it */
export function useOnlyOutside(): string | undefined {
  const next = new URLSearchParams(location.search).get('next') ?? undefined;
  const { data: session } = useLoaded(loadSession);
  useEffect(() => {
    if (session) location.replace(safeNext(next, location.origin));
  }, [session, next]);
  return next;
}
