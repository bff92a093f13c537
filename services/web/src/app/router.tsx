import { LoadingOverlay } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { queryClient, sessionQuery } from './api/queries.ts';
import { safeNext } from './session/next.ts';
import { SignedIn } from './session/signed-in.tsx';
import { Broken, NotFound } from './shell/broken.tsx';
import { focusFollowsPages } from './shell/focus.ts';
import { Shell } from './shell/shell.tsx';

/** The parameters of an address as they stand there; what they mean is the page's business. */
type Search = Record<string, string | undefined>;
const validateSearch = (search: Record<string, unknown>) => search as Search;

const rootRoute = createRootRoute({ component: Outlet });

const inside = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.href } });
    return { session };
  },
  component: function Inside() {
    const { session } = inside.useRouteContext();
    return (
      <SignedIn session={session}>
        <Shell />
      </SignedIn>
    );
  },
});

const outside = createRoute({
  getParentRoute: () => rootRoute,
  id: 'outside',
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
  component: lazyRouteComponent(() => import('./calls/calls-page.tsx'), 'CallsPage'),
});
const report = createRoute({
  getParentRoute: () => inside,
  path: '/calls/$id',
  validateSearch,
  component: lazyRouteComponent(() => import('./report/report-page.tsx'), 'ReportPage'),
});
const overview = createRoute({
  getParentRoute: () => inside,
  path: '/overview',
  validateSearch,
  component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});
const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});
const docs = createRoute({
  getParentRoute: () => inside,
  path: '/docs',
  component: lazyRouteComponent(() => import('./docs/docs-page.tsx'), 'DocsPage'),
});

const signIn = createRoute({
  getParentRoute: () => outside,
  path: '/sign-in',
  validateSearch,
  beforeLoad: async ({ search }) => {
    if ((await queryClient.ensureQueryData(sessionQuery)) !== null) throw redirect({ href: safeNext(search.next, location.origin) });
  },
  component: lazyRouteComponent(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
});

const routeTree = rootRoute.addChildren([
  home,
  inside.addChildren([calls, report, overview, settings, docs]),
  outside.addChildren([signIn]),
]);

export const router = createRouter({
  routeTree,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: () => <LoadingOverlay visible />,
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
