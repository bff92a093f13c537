import { safeNext } from './next.ts';
import { tellOtherTabs } from './other-tabs.ts';

/** Goes on as whoever has just signed in. The page is loaded anew: nothing of another account stays in its memory. */
export function enter(next?: unknown): void {
  tellOtherTabs();
  location.replace(safeNext(next, location.origin));
}
