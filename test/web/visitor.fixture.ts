import type { Page } from 'playwright-core';

export const PASSWORD = 'a few words in a row';

/** Somebody at a page. Remembers what went wrong in it without being seen. */
export class Visitor {
  readonly page: Page;
  /** Errors of scripts, and what the content security policy refused. */
  readonly pageErrors: string[] = [];
  /** Requests that left for another address. */
  readonly foreignRequests: string[] = [];
  readonly #origin: string;

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
  }

  static of(page: Page, origin: string): Visitor {
    const visitor = new Visitor(page, origin);
    page.on('pageerror', (error) => visitor.pageErrors.push(error.message));
    page.on('console', (message) => {
      // Answers that are errors are said by the browser too; whether they may be is up to each test.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        visitor.pageErrors.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) visitor.foreignRequests.push(url);
    });
    return visitor;
  }

  /** @param path e.g. `/settings/keys` */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.#origin}${path}`);
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name });
  }

  heading(name: string | RegExp) {
    return this.page.getByRole('heading', { name });
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).fill(value);
  }

  /** As the owner of a new account. */
  async signUp({ name = 'Ada Byron', account = 'Acme', email = 'ada@example.com' } = {}): Promise<void> {
    await this.goTo('/sign-up');
    await this.fill({ 'Your name': name, 'Company or team': account, Email: email, Password: PASSWORD });
    await this.button('Create account').click();
    await this.page.waitForURL(/\/calls$/);
  }

  /** @param link of an invitation or a claim */
  async join(link: string, { name = 'Eve', email = 'eve@example.com' } = {}): Promise<void> {
    await this.page.goto(link);
    await this.fill({ 'Your name': name, Email: email, Password: PASSWORD });
    await this.button('Join').click();
    await this.page.waitForURL(/\/calls$/);
  }

  async signIn(email: string, password = PASSWORD): Promise<void> {
    await this.fill({ Email: email, Password: password });
    await this.button('Sign in').click();
  }

  /** Makes a key in the settings. @returns its secret */
  async makeKey(name: string): Promise<string> {
    await this.goTo('/settings/keys');
    await this.button('New key').click();
    await this.fill({ Name: name });
    await this.button('Create key').click();
    const secret = await this.page.getByRole('region', { name, exact: true }).textContent();
    await this.button('Done').click();
    return (secret ?? '').trim();
  }
}
