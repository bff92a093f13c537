import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Where pictures of the pages are put, to be looked at; never into the project. */
export const PICTURES = process.env.PICTURES || join(tmpdir(), 'call-analytics-pictures');

const WIDTHS = [1440, 390];
const SCHEMES = ['light', 'dark'] as const;

/** One at each width in each colour scheme, of the whole page. @param name e.g. `settings-keys` */
export async function takePictures(page: Page, name: string, each?: (what: string) => Promise<void>): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  const before = page.viewportSize();
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.waitForSelector(`html[data-mantine-color-scheme=${colorScheme}]`, { state: 'attached' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      await each?.(`${name} at ${width} px, ${colorScheme}`);
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true, animations: 'disabled' });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
