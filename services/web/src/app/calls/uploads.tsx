import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { signedOut } from '../api/signed-out.ts';
import { lazyPart } from '../chunks/chunk.tsx';
import { useSession } from '../session/use-session.ts';
import { uploads } from './upload/uploads.ts';

const UploadsAnywhere = lazyPart(async () => (await import('./upload/tray.tsx')).UploadsAnywhere, { isOptional: true });

/** Mounted once, over every page of somebody who is signed in: files may be dropped anywhere, and uploads go on while pages change. */
export function Uploads() {
  const opened = useSession();
  const { data: session = opened } = useQuery(sessionQuery);
  const isOver = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const accountId = session === null || isOver ? null : session.account.id;
  useEffect(() => uploads.signedIn(accountId), [accountId]);
  return <UploadsAnywhere />;
}
