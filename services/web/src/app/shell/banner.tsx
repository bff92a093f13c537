import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { reachable } from '../api/connection.ts';
import { queryClient } from '../api/queries.ts';
import { texts } from '../texts/texts.ts';
import classes from './shell.module.css';

const SAID_MS = 4_000;

/** Says that the server is gone, and that it is back; then looks again at what could not be loaded meanwhile. */
export function ConnectionBanner() {
  const isReachable = useSyncExternalStore(reachable.subscribe, reachable.get);
  const wasGone = useRef(false);
  const [isBack, setBack] = useState(false);
  useEffect(() => {
    if (!isReachable) {
      wasGone.current = true;
      return;
    }
    if (!wasGone.current) return;
    wasGone.current = false;
    setBack(true);
    void queryClient.invalidateQueries();
    const timer = setTimeout(() => setBack(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isReachable]);
  const said = isReachable ? (isBack ? texts.shell.back : null) : texts.shell.gone;
  return (
    <div role="status" className={said === null ? undefined : classes.banner} data-gone={!isReachable || undefined}>
      {said}
    </div>
  );
}
