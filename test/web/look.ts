import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { barriers } from './axe.ts';
import type { Visitor } from './visitor.ts';

/** Where pictures of the pages are put, to be looked at, when it is set; never into the project. */
const { PICTURES } = process.env;

const WIDTHS = [1440, 390];
const SCHEMES = ['light', 'dark'] as const;

/**
 * Looks at the page as it is, at each width in each colour scheme.
 * @param name of the pictures, e.g. `settings-keys`
 * @returns what bars people from it, in words: barriers that axe-core knows, what is wider than the screen, errors of scripts, requests to elsewhere
 */
export async function look({ page, complaints, strangers }: Visitor, name: string): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.waitForSelector(`html[data-mantine-color-scheme=${colorScheme}]`, { state: 'attached' });
    for (const width of WIDTHS) {
      const what = `${name} at ${width} px, ${colorScheme}`;
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      for (const barrier of await barriers(page)) found.push(`${what}: ${barrier}`);
      const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
      if (beyond > 0) found.push(`${what}: goes ${beyond} px beyond the edge`);
      if (PICTURES) await takePicture(page, join(PICTURES, `${name}-${width}-${colorScheme}.png`));
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  return [...found, ...complaints, ...strangers];
}

async function takePicture(page: Visitor['page'], path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
}
