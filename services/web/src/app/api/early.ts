declare global {
  /** Answers to what `public/early.js` has asked, by path and query. */
  var early: Record<string, Promise<Response>> | undefined;
}

/** @returns the answer that was asked for before the page's scripts had arrived; each is given once */
export function earlyResponse({ method, url }: Request): Promise<Response> | null {
  const { pathname, search } = new URL(url);
  const path = pathname + search;
  const response = globalThis.early?.[path];
  if (method !== 'GET' || response === undefined) return null;
  delete globalThis.early?.[path];
  return response;
}
