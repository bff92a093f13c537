import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import type { Requirement } from '../requirements.fixture.ts';

/**
 * Debian's, and what others call theirs. The headless shells are first: they have no windows, which take as much
 * processor time to start as all the rest.
 */
const NAMES = ['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The browser of this machine; the project brings none. */
const found = NAMES.flatMap((name) =>
  (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)),
).find((path) => existsSync(path));

export const aBrowser: Requirement = { what: 'chromium', present: found !== undefined };

export function openBrowser(): Promise<Browser> {
  if (found === undefined) throw new Error(`none of ${NAMES.join(', ')} is on the PATH`);
  // Its sandbox needs rights that containers and root do not have. It sees nothing but the pages under test.
  return chromium.launch({ executablePath: found, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
