import type { Answer } from './documented.ts';
import type { RunningGateway } from './running-gateway.ts';

export const PASSWORD = 'correct horse battery';

interface Ask {
  body?: unknown;
  headers?: Record<string, string>;
}

/** What a browser does for a page of the gateway: keeps its cookie, and says where its requests come from. */
export class Browser {
  readonly #gateway: RunningGateway;
  cookie: string | null = null;
  /** As the gateway sent it last. */
  setCookie = '';

  constructor(gateway: RunningGateway) {
    this.#gateway = gateway;
  }

  /** What goes with every request. */
  get headers(): Record<string, string> {
    return { origin: this.#gateway.url, ...(this.cookie === null ? {} : { cookie: this.cookie }) };
  }

  async ask(method: string, path: string, { body, headers = {} }: Ask = {}): Promise<Answer> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.#gateway.ask(path, {
      method,
      headers: { ...this.headers, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.setCookie = answer.headers.get('set-cookie') ?? this.setCookie;
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
    if (name !== undefined) this.cookie = value ? `${name}=${value}` : null;
    return answer;
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
    if (answer.status !== 201) throw new Error(`signing up was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as { user: { id: string }; account: { id: string; name: string } };
  }
}

/** A browser in which the owner of a new account is signed in. */
export async function signedUp(gateway: RunningGateway, email: string, more: Record<string, unknown> = {}) {
  const browser = new Browser(gateway);
  const session = await browser.signUp(email, more);
  return { browser, ...session };
}
