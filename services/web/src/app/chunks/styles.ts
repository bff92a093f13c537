/** Backoff between attempts to load the stylesheets of the document. */
const PAUSES_MS = [200, 500, 1_000, 2_000];

/** Stylesheets that failed to load. Neither the browser nor the code that imports a chunk requests them again. */
const missing = new Set<HTMLLinkElement>();
// The stylesheets of the document: a module runs after each of them has loaded or failed.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
  if (!isLoaded(link)) missing.add(link);
const note = ({ target }: Event) =>
  target instanceof HTMLLinkElement && target.rel === 'stylesheet' && missing.add(target);
addEventListener('error', note, true);

/** Requests the stylesheets that failed to load again, once. @throws Error when one of them fails again */
export async function loadMissingStyles(): Promise<void> {
  await Promise.all(
    [...missing].map((link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      missing.delete(link);
      link.replaceWith(again);
      return new Promise<void>((resolve, reject) => {
        again.onload = () => resolve();
        again.onerror = () => reject(new Error(`cannot load ${again.href}`));
      });
    }),
  );
}

/** Before the first paint: a page without its styles is hard to use. Gives up after a few seconds. */
export async function loadStylesOfDocument(): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      return await loadMissingStyles();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function isLoaded({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    // The rules of a failed stylesheet cannot be read in Chromium.
    return false;
  }
}
