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

/** Whether the server answers, as far as the page knows. */
export const reachable = new ExternalStore(true);

let asking = false;

/** Something answered. */
export function reportReachable(): void {
  reachable.set(true);
}

/** Nothing answered: asks now and then until something does. */
export function reportUnreachable(): void {
  reachable.set(false);
  if (!asking) void pollUntilReachable();
}

/** @returns when the server answers, at once when it does */
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

/** Ends early when the browser finds the network again. */
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

/** Whether the session turned out to be over while a page was open: the page stays, and a dialog over it asks to sign in. */
export const signedOut = new ExternalStore(false);

/** Something found the session over. */
export function reportSignedOut(): void {
  signedOut.set(true);
}

/** @returns when somebody has signed in again */
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
