import type { AnyRouter } from '@tanstack/react-router';

const LOOK_MS = 50;
const GIVE_UP_MS = 2_000;

/** After every change of page the focus goes to its heading, so that screen readers say where one is, and Tab goes on from there. */
export function focusFollowsPages(router: AnyRouter): void {
  router.subscribe('onResolved', ({ fromLocation, toLocation }) => {
    if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname) return;
    const from = performance.now();
    const look = () => {
      if (router.state.location.pathname !== toLocation.pathname) return;
      const heading = document.querySelector<HTMLElement>('main h1');
      if (heading !== null) heading.focus({ preventScroll: true });
      else if (performance.now() - from < GIVE_UP_MS) setTimeout(look, LOOK_MS);
    };
    look();
  });
}
