import type { createApiReference } from '@scalar/api-reference';

/** Address of Scalar's browser build, set by vite.config.ts. */
declare const SCALAR: string;
/** The address in the samples where PUBLIC_URL is not set. */
const EXAMPLE_ORIGIN = 'https://calls.example.com';

/** The `type` of an error links to /docs#code. Scalar's anchor of that heading is #description/code, with dashes. */
function anchorOf(hash: string): string {
  return hash.replace(/^#([a-z]+(_[a-z]+)+)$/, (_hash, code) => `#description/${code.replaceAll('_', '-')}`);
}

const anchor = anchorOf(location.hash);
// Before it has rendered, Scalar takes an anchor for a part of the page's address.
history.replaceState(null, '', location.pathname);
window.addEventListener('hashchange', () => {
  if (anchorOf(location.hash) !== location.hash) location.hash = anchorOf(location.hash);
});

const [scalar, description] = await Promise.all([
  import(/* @vite-ignore */ SCALAR) as Promise<{ createApiReference: typeof createApiReference }>,
  fetch('/api/v1/openapi.json').then((response) => response.text()),
]);

scalar.createApiReference('#docs', {
  content: JSON.parse(description.replaceAll(EXAMPLE_ORIGIN, location.origin)),
  servers: [{ url: location.origin }],
  authentication: { preferredSecurityScheme: 'apiKey' },
  documentDownloadType: 'direct',
  hideClientButton: true,
  // Nothing leaves this origin: no fonts, no telemetry, no services of Scalar.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  onLoaded: () => {
    if (anchor !== '') location.hash = anchor;
  },
});
