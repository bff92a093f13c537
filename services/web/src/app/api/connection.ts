import { Told } from './told.ts';

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** Whether the server answers, as far as the page knows. */
export const reachable = new Told(true);

let asking = false;

/** Something answered. */
export function heardServer(): void {
  reachable.set(true);
}

/** Nothing answered: asks now and then until something does. */
export function heardNothing(): void {
  reachable.set(false);
  if (!asking) void askUntilAnswered();
}

/** @returns when the server answers, at once when it does */
export function serverIsBack(): Promise<void> {
  return new Promise((resolve) => {
    if (reachable.get()) return resolve();
    const stop = reachable.subscribe(() => {
      stop();
      resolve();
    });
  });
}

async function askUntilAnswered(): Promise<void> {
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
