import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Visitor } from './visitor.fixture.ts';

interface Finding {
  id: string;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/**
 * What fades in has other colors on its way, and begins a moment after it was asked for; what turns for ever is not
 * waited for.
 */
const STILL = `(async () => {
  const moving = () => document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < Infinity && each.playState === 'running');
  do {
    await Promise.all(moving().map((each) => each.finished.catch(() => {})));
    await new Promise((resolve) => setTimeout(resolve, 60));
  } while (moving().length > 0);
})()`;

/**
 * Runs the rules whose findings are serious or critical, as the rest of axe-core takes as long again. Throws when it
 * finds no such rule.
 */
const RUN_AXE = `(() => {
  const { rules, tagExclude } = axe._audit;
  const isRun = ({ enabled, impact, tags }) =>
    enabled && ['serious', 'critical'].includes(impact) && !tags.some((tag) => tagExclude.includes(tag));
  return axe.run(document, { resultTypes: ['violations'], runOnly: rules.filter(isRun).map(({ id }) => id) });
})()`;

/** @returns what axe-core finds serious or critical on the page as it is now, in words */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(STILL);
  // Once for each document: its 1.5 MB take as long to compile as half of a run.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(RUN_AXE)) as { violations: Finding[] };
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target} ${failureSummary}`),
  );
}

/** Where pictures of the pages are put, to be looked at, when it is set; never into the project. */
const { PICTURES } = process.env;

const WIDTHS = [1440, 390];
const SCHEMES = ['light', 'dark'] as const;

/**
 * Looks at the page as it is, at each width in each color scheme.
 * @param name of the pictures, e.g. `settings-keys`
 * @returns what bars people from it, in words: barriers that axe-core knows, what is wider than the screen, errors of
 * scripts, requests to elsewhere
 */
export async function inspectPage({ page, pageErrors, foreignRequests }: Visitor, name: string): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.waitForSelector(`html[data-mantine-color-scheme=${colorScheme}]`, { state: 'attached' });
    for (const width of WIDTHS) {
      const what = `${name} at ${width} px, ${colorScheme}`;
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      for (const barrier of await accessibilityViolations(page)) found.push(`${what}: ${barrier}`);
      const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
      if (beyond > 0) found.push(`${what}: goes ${beyond} px beyond the edge`);
      if (PICTURES) await takePicture(page, join(PICTURES, `${name}-${width}-${colorScheme}.png`));
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  return [...found, ...pageErrors, ...foreignRequests];
}

async function takePicture(page: Visitor['page'], path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
}
