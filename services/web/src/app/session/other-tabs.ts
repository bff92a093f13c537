const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('session') : null;

/** Tells the other tabs that somebody signed in or out here. */
export function tellOtherTabs(): void {
  channel?.postMessage('changed');
}

/** @returns stops listening */
export function hearOtherTabs(listener: () => void): () => void {
  channel?.addEventListener('message', listener);
  return () => channel?.removeEventListener('message', listener);
}
