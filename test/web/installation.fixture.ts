import { fileURLToPath } from 'node:url';
import type { Fault } from '@call-analytics/stand-in';
import { buildPages } from '@call-analytics/web/server';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { Installation } from '../e2e/installation.fixture.ts';
import { ranAlone } from '../terminal.fixture.ts';
import { openBrowser } from './browser.fixture.ts';
import { Visitor } from './visitor.fixture.ts';

/** A standalone installation with its pages, and a browser to visit it. */
export class WebInstallation {
  readonly installation: Installation;
  readonly #browser: Browser;

  private constructor(installation: Installation, browser: Browser) {
    this.installation = installation;
    this.#browser = browser;
  }

  static async open(settings: Record<string, string> = {}): Promise<WebInstallation> {
    const said: string[] = [];
    if (!(await buildPages((line) => said.push(line)))) throw new Error(said.join('\n'));
    const installation = await Installation.withStandIn(settings);
    await installation.start();
    return new WebInstallation(installation, await openBrowser());
  }

  get url(): string {
    return this.installation.url;
  }

  /** What goes wrong where speech is recognized; may be changed at any time. */
  get faults(): Fault[] {
    return this.installation.standIn.faults;
  }

  /** Somebody with a browser of their own: without the cookies of others. */
  async visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await this.#browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      ...options,
    });
    context.setDefaultTimeout(15_000);
    return Visitor.of(await context.newPage(), this.url);
  }

  /** Another tab of the same browser. */
  async tab(visitor: Visitor): Promise<Visitor> {
    return Visitor.of(await visitor.page.context().newPage(), this.url);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.installation.remove();
  }
}

const MAIN = fileURLToPath(new URL('../../services/accounts/src/cli/main.ts', import.meta.url));

/** A command of `npm run accounts`, beside the running service. @returns its answer */
export async function operator<Answer>({ installation, url }: WebInstallation, ...args: string[]): Promise<Answer> {
  const { code, out, err } = await ranAlone(MAIN, [...args, '--json'], {
    DATA_DIR: installation.dataDir,
    PUBLIC_URL: url,
  });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Answer;
}
