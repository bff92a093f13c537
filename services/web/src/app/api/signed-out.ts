import { Told } from './told.ts';

/** Whether the session turned out to be over while a page was open: the page stays, and a dialog over it asks to sign in. */
export const signedOut = new Told(false);

/** Something found the session over. */
export function foundSignedOut(): void {
  signedOut.set(true);
}

/** @returns when somebody has signed in again */
export function signedInAgain(): Promise<void> {
  foundSignedOut();
  return new Promise((resolve) => {
    const stop = signedOut.subscribe(() => {
      if (signedOut.get()) return;
      stop();
      resolve();
    });
  });
}
