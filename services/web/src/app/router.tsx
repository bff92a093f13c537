import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { queryClient, sessionQuery } from './api/queries.ts';
import { lazyPage } from './chunks/chunk.tsx';
import { LINK_PAGES } from './session/link-pages.ts';
import { safeNext } from './session/next.ts';
import { SignedIn } from './session/signed-in.tsx';
import { Broken, NotFound } from './shell/broken.tsx';
import { focusFollowsPages } from './shell/focus.ts';
import { PagePending } from './shell/pending.tsx';
import { Shell } from './shell/shell.tsx';

/** The parameters of an address as they stand there; what they mean is the page's business. */
type Search = Record<string, string | undefined>;
const validateSearch = (search: Record<string, unknown>) => search as Search;

const rootRoute = createRootRoute({ component: Outlet });

/** What is around the pages. One route for all of them, so that it stays while they come and go. */
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
  beforeLoad: ({ context, location }) => {
    if (context.session === null) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/calls' });
  },
});

const calls = createRoute({
  getParentRoute: () => inside,
  path: '/calls',
  validateSearch,
  component: lazyPage(() => import('./calls/calls-page.tsx'), 'CallsPage'),
});
const report = createRoute({
  getParentRoute: () => inside,
  path: '/calls/$id',
  validateSearch,
  component: lazyPage(() => import('./report/report-page.tsx'), 'ReportPage'),
});
const overview = createRoute({
  getParentRoute: () => inside,
  path: '/overview',
  validateSearch,
  component: lazyPage(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});
const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyPage(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/keys' });
  },
});
const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyPage(() => import('./settings/keys/keys-page.tsx'), 'KeysPage'),
});
const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyPage(() => import('./settings/members/members-page.tsx'), 'MembersPage'),
});
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: lazyPage(() => import('./settings/profile/profile-page.tsx'), 'ProfilePage'),
});
const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyPage(() => import('./settings/account/account-page.tsx'), 'AccountPage'),
});

/** Whoever is signed in has nothing to do there. */
const onlyOutside = async ({ search }: { search: Search }) => {
  if ((await queryClient.ensureQueryData(sessionQuery)) !== null)
    throw redirect({ href: safeNext(search.next, location.origin) });
};
const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch,
  beforeLoad: onlyOutside,
  component: lazyPage(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
});
const signUp = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch,
  beforeLoad: onlyOutside,
  component: lazyPage(() => import('./session/sign-up-page.tsx'), 'SignUpPage'),
});
const forgot = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot',
  component: lazyPage(() => import('./session/forgot-page.tsx'), 'ForgotPage'),
});
const reset = createRoute({
  getParentRoute: () => rootRoute,
  path: LINK_PAGES.passwordReset,
  component: lazyPage(() => import('./session/reset-page.tsx'), 'ResetPage'),
});
const invitation = createRoute({
  getParentRoute: () => rootRoute,
  path: LINK_PAGES.invitation,
  component: lazyPage(() => import('./session/invitation-page.tsx'), 'InvitationPage'),
});
const link = createRoute({
  getParentRoute: () => rootRoute,
  path: LINK_PAGES.signIn,
  component: lazyPage(() => import('./session/link-page.tsx'), 'LinkPage'),
});

const routeTree = rootRoute.addChildren([
  home,
  frame.addChildren([
    inside.addChildren([
      calls,
      report,
      overview,
      settings.addChildren([settingsStart, apiKeys, members, profile, account]),
    ]),
  ]),
  signIn,
  signUp,
  forgot,
  reset,
  invitation,
  link,
]);

export const router = createRouter({
  routeTree,
  defaultErrorComponent: Broken,
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
