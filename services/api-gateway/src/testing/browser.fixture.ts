import type { Answer } from './documented.fixture.ts';
import type { RunningGateway } from './gateway.fixture.ts';

export const PASSWORD = 'correct horse battery';

interface Ask {
  body?: unknown;
  headers?: Record<string, string>;
}

/** What a browser does for a page of the gateway: keeps its cookie, and says where its requests come from. */
export class Browser {
  readonly #gateway: RunningGateway;
  /** Of the session: name and value. */
  cookie: string | null = null;
  /** By which the browser is known: name and value. */
  device: string | null = null;
  /** The cookie of the session, as the gateway sent it last. */
  setCookie = '';

  constructor(gateway: RunningGateway) {
    this.#gateway = gateway;
  }

  /** What goes with every request. */
  get headers(): Record<string, string> {
    const cookies = [this.cookie, this.device].filter((each) => each !== null);
    return { origin: this.#gateway.url, ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }) };
  }

  async ask(method: string, path: string, { body, headers = {} }: Ask = {}): Promise<Answer> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.#gateway.ask(path, {
      method,
      headers: { ...this.headers, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie);
    return answer;
  }

  #keep(cookie: string): void {
    const [, name = '', value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    const kept = value ? `${name}=${value}` : null;
    if (name.endsWith('_device')) this.device = kept;
    else [this.cookie, this.setCookie] = [kept, cookie];
  }

  get(path: string): Promise<Answer> {
    return this.ask('GET', path);
  }

  /** As the page does it. @returns the session */
  async signUp(
    email: string,
    more: Record<string, unknown> = {},
  ): Promise<{ user: { id: string }; account: { id: string; name: string } }> {
    const answer = await this.ask('POST', '/app/users', { body: { name: 'Anna', email, password: PASSWORD, ...more } });
    if (answer.status !== 201)
      throw new Error(`signing up was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as { user: { id: string }; account: { id: string; name: string } };
  }
}

/** A browser in which the owner of a new account is signed in. */
export async function signedUp(gateway: RunningGateway, email: string, more: Record<string, unknown> = {}) {
  const browser = new Browser(gateway);
  const session = await browser.signUp(email, more);
  return { browser, ...session };
}
