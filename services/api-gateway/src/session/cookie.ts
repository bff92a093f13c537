import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A cookie that no script can read and no other site can use. With `__Host-` a browser takes it over TLS alone, for this host
 * alone and for all of it, so that no other host of the domain can put one in its place.
 * https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */
export class Cookie {
  readonly #name: string;
  readonly #attributes: string;

  /** @param overTls whether people reach this service by https, whatever is between */
  constructor(name: string, overTls: boolean) {
    this.#name = `${overTls ? '__Host-' : ''}${name}`;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${overTls ? '; Secure' : ''}`;
  }

  /** @returns null when there is none, or when it is not encoded as a URI component */
  read(req: IncomingMessage): string | null {
    for (const pair of (req.headers.cookie ?? '').split(';')) {
      const at = pair.indexOf('=');
      if (at === -1 || pair.slice(0, at).trim() !== this.#name) continue;
      try {
        return decodeURIComponent(pair.slice(at + 1).trim()) || null;
      } catch {
        return null;
      }
    }
    return null;
  }

  give(res: ServerResponse, value: string, expiresAt: Date): void {
    this.#set(res, `${encodeURIComponent(value)}; ${this.#attributes}; Expires=${expiresAt.toUTCString()}`);
  }

  takeBack(res: ServerResponse): void {
    this.#set(res, `; ${this.#attributes}; Max-Age=0`);
  }

  #set(res: ServerResponse, value: string): void {
    res.appendHeader('Set-Cookie', `${this.#name}=${value}`);
  }
}
