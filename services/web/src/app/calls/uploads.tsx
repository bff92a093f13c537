import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { reachable } from '../api/connection.ts';
import { sessionQuery } from '../api/queries.ts';
import { signedOut } from '../api/signed-out.ts';
import { lazyPart } from '../chunks/chunk.tsx';
import { useSession } from '../session/use-session.ts';
import { DropAnywhere } from './upload/drop-anywhere.tsx';
import { uploads } from './upload/uploads.ts';

const Tray = lazyPart(async () => (await import('./upload/tray.tsx')).Tray, { isOptional: true });

/** Mounted once, over every page of a signed-in user: files may be dropped anywhere, and uploads go on while pages change. */
export function Uploads() {
  const opened = useSession();
  const { data: session = opened } = useQuery(sessionQuery);
  const isOver = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const accountId = session === null || isOver ? null : session.account.id;
  useEffect(() => uploads.signedIn(accountId), [accountId]);
  useEffect(continueWithTheNetwork, []);
  useEffect(warnBeforeLeaving, []);
  return (
    <>
      <DropAnywhere />
      <Tray />
    </>
  );
}

/** Uploads that wait for a retry go on as soon as the network or the server is back. */
function continueWithTheNetwork() {
  const goOn = () => uploads.retryPausing();
  addEventListener('online', goOn);
  const stop = reachable.subscribe(() => (reachable.get() ? goOn() : undefined));
  return () => {
    removeEventListener('online', goOn);
    stop();
  };
}

/** A page that is left takes its uploads with it. */
function warnBeforeLeaving() {
  const warn = (event: BeforeUnloadEvent) => {
    if (uploads.unfinished()) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}
