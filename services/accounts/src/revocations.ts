import { setTimeout as sleep } from 'node:timers/promises';

/** Learns that API keys were revoked or deleted, but not which. */
export interface RevocationWatcher {
  /** The watch is in place: no revocation is missed from now on. */
  watching(): void;
  revoked(): void;
  /** Revocations may be missed from now on, until `watching` is called. */
  lost(error: unknown): void;
}

export interface RevocationSource {
  /** Watches until it is stopped, and begins again when the watch breaks. */
  watchRevocations(watcher: RevocationWatcher): { stop(): void };
}

const RETRY_AFTER_MS = 500;

/**
 * Watches again and again until it is stopped.
 * @param watch calls `heard` once when it is in place and then for each revocation, ends with `signal`, and throws when
 *   it breaks
 */
export function keepWatching(
  watch: (heard: () => void, signal: AbortSignal) => Promise<void>,
  watcher: RevocationWatcher,
): { stop(): void } {
  const stopped = new AbortController();
  const { signal } = stopped;
  const run = async () => {
    while (!signal.aborted) {
      let isFirst = true;
      const heard = () => {
        if (isFirst) watcher.watching();
        else watcher.revoked();
        isFirst = false;
      };
      const error: unknown = await watch(heard, signal).catch((cause: unknown) => cause);
      if (signal.aborted) return;
      watcher.lost(error);
      await sleep(RETRY_AFTER_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  void run();
  return { stop: () => stopped.abort() };
}
