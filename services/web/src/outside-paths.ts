/** The pages for people who are not signed in. They have a document of their own, which is small: `outside.html`. */
export const OUTSIDE_PATHS = ['/sign-in', '/sign-up', '/forgot', '/password-reset', '/invitation', '/link'] as const;

export type OutsidePath = (typeof OUTSIDE_PATHS)[number];

/** @returns the page of an address; a slash at its end does not matter. Null for the pages of the application */
export function outsidePath(pathname: string): OutsidePath | null {
  const path = pathname.replace(/\/+$/, '');
  return OUTSIDE_PATHS.find((each) => each === path) ?? null;
}
