/** Continues as the user who signed in. Reloads, so that nothing of another account stays in memory. */
export function enter(next?: unknown): void {
  announceSessionChange();
  location.replace(safeNext(next, location.origin));
}

/**
 * Where to go after a sign-in. Anyone may write the address, so only paths of this origin are accepted.
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

/** Tells the other tabs about a sign-in or sign-out. */
export function announceSessionChange(): void {
  channel?.postMessage('changed');
}

/** @returns stops listening */
export function onSessionChange(listener: () => void): () => void {
  channel?.addEventListener('message', listener);
  return () => channel?.removeEventListener('message', listener);
}
