/** A value that tells its listeners when it changes, for `useSyncExternalStore`. */
export class ExternalStore<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** Whether the server responds, as far as the page knows. */
export const reachable = new ExternalStore(true);

let asking = false;

/** Call after a response. */
export function reportReachable(): void {
  reachable.set(true);
}

/** Call after a request without a response. Polls until the server responds. */
export function reportUnreachable(): void {
  reachable.set(false);
  if (!asking) void pollUntilReachable();
}

/** Resolves when the server responds. */
export function waitUntilReachable(): Promise<void> {
  return new Promise((resolve) => {
    if (reachable.get()) return resolve();
    const stop = reachable.subscribe(() => {
      stop();
      resolve();
    });
  });
}

async function pollUntilReachable(): Promise<void> {
  asking = true;
  for (let tries = 0; !reachable.get(); tries += 1) {
    await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 15_000);
    const alive = await fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (alive) reachable.set(true);
  }
  asking = false;
}

/** Ends early when the network is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
  });
}

/** Whether the session ended while a page was open. The page stays, and a dialog asks to sign in. */
export const signedOut = new ExternalStore(false);

/** Call when a response shows that the session ended. */
export function reportSignedOut(): void {
  signedOut.set(true);
}

/** Resolves after the next sign-in. */
export function waitUntilSignedIn(): Promise<void> {
  reportSignedOut();
  return new Promise((resolve) => {
    const stop = signedOut.subscribe(() => {
      if (signedOut.get()) return;
      stop();
      resolve();
    });
  });
}

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
