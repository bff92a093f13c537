/** Goes on as whoever has just signed in. The page is loaded anew: nothing of another account stays in its memory. */
export function enter(next?: unknown): void {
  announceSessionChange();
  location.replace(safeNext(next, location.origin));
}

/**
 * Where to go after signing in. The address may have been written by anybody, so only paths of this origin are taken.
 * @param next e.g. `/calls/call_…?text=price`
 * @param origin of this page
 */
export function safeNext(next: unknown, origin: string): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/calls';
  try {
    const url = new URL(next, origin);
    return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : '/calls';
  } catch {
    return '/calls';
  }
}

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('session') : null;

/** Tells the other tabs that somebody signed in or out here. */
export function announceSessionChange(): void {
  channel?.postMessage('changed');
}

/** @returns stops listening */
export function onSessionChange(listener: () => void): () => void {
  channel?.addEventListener('message', listener);
  return () => channel?.removeEventListener('message', listener);
}
