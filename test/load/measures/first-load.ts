import type { CDPSession, Page } from 'playwright-core';
import { aBrowser } from '../../web/browser.fixture.ts';
import { WebInstallation } from '../../web/installation.fixture.ts';
import { placeCalls } from '../../web/placed-calls.fixture.ts';
import type { Visitor } from '../../web/visitor.fixture.ts';
import { bounded, type Context, type Measure, type Result } from '../harness/measure.ts';

/** A slow phone network: 1.6 Mbit/s down, 750 kbit/s up, 150 ms for each round trip. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const LCP_LIMIT_MS = 2_500;
/** Nothing larger is painted when it has been quiet for so long. */
const QUIET_MS = 1_500;
/** In the page: the largest contentful paint so far (web.dev/articles/lcp), in ms after the navigation began. */
const OBSERVE_LCP = `new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) globalThis.lcp = { ms: entry.startTime, what: entry.element?.tagName ?? '' };
}).observe({ type: 'largest-contentful-paint', buffered: true })`;

interface Load {
  lcpMs: number;
  what: string;
  requests: number;
  scriptBytes: number;
}

/** How fast the first page appears over a slow network, with an empty cache, in Chromium's network emulation. */
export const firstLoad: Measure = {
  name: 'first-load',
  async run({ quick, progress }: Context): Promise<Result[]> {
    if (!aBrowser.present) return [{ what: 'The first load of the pages', skipped: `needs ${aBrowser.what}` }];
    const runs = quick ? 3 : 7;
    const web = await WebInstallation.open({ SIGN_UP: 'open' });
    try {
      const ada = await web.visitor();
      await ada.signUp();
      const calls = Array.from({ length: 40 }, (_, index) => ({
        fileName: `call-${index}.mp3`,
        product: 'Horizon',
        score: index,
      }));
      await placeCalls(web, ada, calls);
      return [
        ...(await measured('sign-in', runs, progress, () => loadOnce(web, '/sign-in', 'Sign in'))),
        ...(await measured('calls', runs, progress, () => loadOnce(web, '/calls', 'Calls', ada))),
      ];
    } finally {
      await web.close();
    }
  },
};

async function measured(
  name: string,
  runs: number,
  progress: Context['progress'],
  load: () => Promise<Load>,
): Promise<Result[]> {
  const loads: Load[] = [];
  for (let run = 0; run < runs; run += 1) loads.push(await load());
  const [{ what, requests, scriptBytes }] = loads as [Load];
  const note = `${requests} requests, ${Math.round(scriptBytes / 1_000)} kB of script as transferred; the largest paint is ${what}`;
  progress(`${name}: ${loads.map(({ lcpMs }) => Math.round(lcpMs)).join(', ')} ms; ${note}`);
  const title = `Largest contentful paint of ${name} at 1.6 Mbit/s and 150 ms, nothing cached`;
  const times = loads.map(({ lcpMs }) => lcpMs);
  return [bounded(title, 'ms', times, { atMost: LCP_LIMIT_MS }, { notes: [note] })];
}

/** @param user whose cookies are sent; without one nobody is signed in */
async function loadOnce(web: WebInstallation, path: string, heading: string, user?: Visitor): Promise<Load> {
  const visitor = await web.visitor(
    user === undefined ? {} : { storageState: await user.page.context().storageState() },
  );
  const { page } = visitor;
  try {
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', NETWORK);
    const traffic = count(network);
    await page.addInitScript(OBSERVE_LCP);
    await page.goto(`${web.url}${path}`);
    await page.getByRole('heading', { name: heading }).waitFor({ timeout: 60_000 });
    const { ms, what } = await settled(page);
    return { lcpMs: ms, what, ...traffic() };
  } finally {
    await page.context().close();
  }
}

function count(network: CDPSession): () => Pick<Load, 'requests' | 'scriptBytes'> {
  const scripts = new Set<string>();
  let requests = 0;
  let scriptBytes = 0;
  network.on('Network.requestWillBeSent', ({ requestId, type }) => {
    // The stream of changes is no part of the load.
    if (type !== 'EventSource') requests += 1;
    if (type === 'Script') scripts.add(requestId);
  });
  network.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  return () => ({ requests, scriptBytes });
}

/** @returns the largest paint when no larger one has followed for a while */
async function settled(page: Page): Promise<{ ms: number; what: string }> {
  const look = async () =>
    ((await page.evaluate('globalThis.lcp')) ?? { ms: Number.NaN, what: '' }) as { ms: number; what: string };
  let last = await look();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const now = await look();
    if (now.ms === last.ms) return now;
    last = now;
  }
}
