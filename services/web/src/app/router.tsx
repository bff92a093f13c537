import {
  type AnyRouter,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { queryClient, sessionQuery } from './api/queries.ts';
import { SignedIn } from './auth/session.tsx';
import { lazyPage } from './chunks/chunk.tsx';
import { ErrorPage, NotFound, PagePending, Shell } from './shell/shell.tsx';

/** The raw query parameters. Each page validates its own. */
type Search = Record<string, string | undefined>;
const validateSearch = (search: Record<string, unknown>) => search as Search;

const CallsPage = lazyPage(() => import('./calls/calls-page.tsx'), 'CallsPage');
const ReportPage = lazyPage(() => import('./report/report-page.tsx'), 'ReportPage');
const OverviewPage = lazyPage(() => import('./overview/overview-page.tsx'), 'OverviewPage');
const SettingsPage = lazyPage(() => import('./settings/settings-page.tsx'), 'SettingsPage');
const KeysPage = lazyPage(() => import('./settings/keys-page.tsx'), 'KeysPage');
const ScorecardPage = lazyPage(() => import('./settings/entry-pages.tsx'), 'ScorecardPage');
const TrackersPage = lazyPage(() => import('./settings/entry-pages.tsx'), 'TrackersPage');
const VocabularyPage = lazyPage(() => import('./settings/vocabulary-page.tsx'), 'VocabularyPage');
const MembersPage = lazyPage(() => import('./settings/members-page.tsx'), 'MembersPage');
const ProfilePage = lazyPage(() => import('./settings/profile-page.tsx'), 'ProfilePage');
const AccountPage = lazyPage(() => import('./settings/account-page.tsx'), 'AccountPage');

const rootRoute = createRootRoute({ component: Outlet });

/** The frame around the pages. One route for all of them, so that it stays mounted. */
const frame = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: async () => ({ session: await queryClient.ensureQueryData(sessionQuery) }),
  component: function Frame() {
    const { session } = frame.useRouteContext();
    if (session === null) return null;
    return (
      <SignedIn session={session}>
        <Shell />
      </SignedIn>
    );
  },
});
const inside = createRoute({
  getParentRoute: () => frame,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    if (context.session !== null) return;
    // The auth pages are another document.
    window.location.replace(`/sign-in?next=${encodeURIComponent(location.href)}`);
    await new Promise(() => {});
  },
});

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/calls' });
  },
});

const calls = createRoute({ getParentRoute: () => inside, path: '/calls', validateSearch, component: CallsPage });
const report = createRoute({ getParentRoute: () => inside, path: '/calls/$id', validateSearch, component: ReportPage });
const overview = createRoute({
  getParentRoute: () => inside,
  path: '/overview',
  validateSearch,
  component: OverviewPage,
});
const settings = createRoute({ getParentRoute: () => inside, path: '/settings', component: SettingsPage });
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/keys' });
  },
});
const apiKeys = createRoute({ getParentRoute: () => settings, path: '/keys', component: KeysPage });
const scorecard = createRoute({ getParentRoute: () => settings, path: '/scorecard', component: ScorecardPage });
const trackers = createRoute({ getParentRoute: () => settings, path: '/trackers', component: TrackersPage });
const vocabulary = createRoute({ getParentRoute: () => settings, path: '/vocabulary', component: VocabularyPage });
const members = createRoute({ getParentRoute: () => settings, path: '/members', component: MembersPage });
const profile = createRoute({ getParentRoute: () => settings, path: '/profile', component: ProfilePage });
const account = createRoute({ getParentRoute: () => settings, path: '/account', component: AccountPage });

const routeTree = rootRoute.addChildren([
  home,
  frame.addChildren([
    inside.addChildren([
      calls,
      report,
      overview,
      settings.addChildren([settingsStart, apiKeys, scorecard, trackers, vocabulary, members, profile, account]),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: PagePending,
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
});
focusFollowsPages(router);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const LOOK_MS = 50;
const GIVE_UP_MS = 2_000;

/**
 * Moves the focus to the heading after each change of page: screen readers announce it, and Tab continues from there.
 */
function focusFollowsPages(router: AnyRouter): void {
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
