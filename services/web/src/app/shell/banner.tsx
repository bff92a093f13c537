import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { reachable } from '../api/connection.ts';
import { shell } from '../texts/en/common.ts';
import classes from './banner.module.css';

const SHOWN_MS = 4_000;

/** Says that the connection is lost or restored. @param onBack refetches after an outage */
export function ConnectionBanner({ onBack }: { onBack?: () => void }) {
  const isReachable = useSyncExternalStore(reachable.subscribe, reachable.get);
  const wasGone = useRef(false);
  const [isBack, setIsBack] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the connection is a reason to call it.
  useEffect(() => {
    if (!isReachable) {
      wasGone.current = true;
      return;
    }
    if (!wasGone.current) return;
    wasGone.current = false;
    setIsBack(true);
    onBack?.();
    const timer = setTimeout(() => setIsBack(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isReachable]);
  const text = isReachable ? (isBack ? shell.back : null) : shell.gone;
  return (
    <div role="status" className={text === null ? undefined : classes.banner} data-gone={!isReachable || undefined}>
      {text}
    </div>
  );
}
