import { saveDrafts } from './drafts.ts';

const KEY = 'reloaded-at';
/** While two versions are deployed side by side, a reload may get the old one again: reloads by themselves keep this distance. */
const RELOAD_DISTANCE_MS = 5 * 60_000;
const ENTRY = /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/;

/** The script that this page began with. Its name changes with every deployment. */
export function thisEntry(): string | null {
  return document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null;
}

/** @returns the script that a page begins with now; `unreachable` without an answer, `unavailable` when the answer is no page */
export async function servedEntry(): Promise<string> {
  try {
    const response = await fetch('/', { cache: 'no-store' });
    const entry = response.ok ? ENTRY.exec(await response.text())?.[1] : undefined;
    return entry ?? 'unavailable';
  } catch {
    return 'unreachable';
  }
}

/** Reloads the page and keeps what was typed. */
export function reloadPage(): void {
  saveDrafts();
  location.reload();
}

/** Reloads the page unless it did so a short time ago. @returns whether it does */
export function reloadOnce(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < RELOAD_DISTANCE_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage a loop could not be noticed.
    return false;
  }
  reloadPage();
  return true;
}
