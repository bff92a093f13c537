/**
 * Where to go after signing in. The address may have been written by anybody, so only paths of this origin are taken.
 * @param next e.g. `/calls/call_…?text=price`
 * @param origin of this page
 */
export function safeNext(next: unknown, origin: string): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/calls';
  try {
    const url = new URL(next, origin);
    return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : '/calls';
  } catch {
    return '/calls';
  }
}
