import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The cookie of a session. With `__Host-` a browser takes it over TLS alone, for this host alone and for all of it, so that no other host of the domain can put one in its place.
 * https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  /** @param overTls whether people reach this service by https, whatever is between */
  constructor(overTls: boolean) {
    this.#name = `${overTls ? '__Host-' : ''}call_analytics_session`;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${overTls ? '; Secure' : ''}`;
  }

  /** @returns null when there is none, or one that no session can have */
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

  give(res: ServerResponse, token: string, expiresAt: Date): void {
    res.setHeader('Set-Cookie', `${this.#name}=${encodeURIComponent(token)}; ${this.#attributes}; Expires=${expiresAt.toUTCString()}`);
  }

  takeBack(res: ServerResponse): void {
    res.setHeader('Set-Cookie', `${this.#name}=; ${this.#attributes}; Max-Age=0`);
  }
}
