// Which document of the build serves an address, and which page the address shows.

/** The pages for users who are not signed in. They have a small document of their own: `auth.html`. */
const AUTH_PATHS = ['/sign-in', '/sign-up', '/forgot', '/password-reset', '/invitation', '/link'] as const;
export type AuthPath = (typeof AUTH_PATHS)[number];

/** Pages of the application that are loaded together with their document, by the module of each. */
const PRELOADED: readonly (readonly [path: RegExp, module: string])[] = [
  [/^\/(calls\/?)?$/, 'src/app/calls/calls-page.tsx'],
  [/^\/calls\/[^/]+\/?$/, 'src/app/report/report-page.tsx'],
  [/^\/overview\/?$/, 'src/app/overview/overview-page.tsx'],
];

/** Addresses that the application knows (`router.tsx`). */
const APP_PAGES = /^\/((calls|settings)(\/[^/]+)?|overview)?\/?$|^\/index\.html$/;

/** @returns whether the application has a page at this address; it says "not found" at every other one */
export function isAppPage(pathname: string): boolean {
  return APP_PAGES.test(pathname);
}

/** @returns the page of an address, with or without a slash at its end; null for the pages of the application */
export function authPath(pathname: string): AuthPath | null {
  const path = pathname.replace(/\/+$/, '');
  return AUTH_PATHS.find((each) => each === path) ?? null;
}

/** @returns the module of the page at an address of the application, or null if the page is not preloaded */
export function preloadedModule(pathname: string): string | null {
  return PRELOADED.find(([path]) => path.test(pathname))?.[1] ?? null;
}
