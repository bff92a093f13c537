import type { IncomingMessage } from 'node:http';
import type { Account, Accounts, Actor, ApiKey, Origin, Session, SignedIn, Users } from '@call-analytics/accounts';
import { isLoopback, type Logger } from '@call-analytics/service-kit';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { exchangeOf } from '../http/exchange.ts';
import { HttpProblem } from '../http/problem.ts';

/** Browsers keep a cookie for at most 400 days. */
const DEVICE_COOKIE_MS = 365 * 86_400_000;

/** The session of a request. */
export interface CurrentSession {
  session: Session;
  /** The value of the cookie. It is a secret. */
  token: string;
  /** The user, as the accounts service knows the author of a change. */
  actor: Actor;
}

/**
 * Sessions in cookies, for people; programs use API keys. No script can read the cookies and no other site can send
 * them.
 */
export class Sessions {
  readonly #users: Users;
  readonly #log: Logger;
  readonly #reach: Reach;
  readonly #options: CookieOptions;
  readonly #sessionCookie: string;
  /** Marks a browser in which a user has signed in, for the limits on attempts. It signs no one in. */
  readonly #deviceCookie: string;

  constructor(users: Users, reach: Reach, log: Logger) {
    this.#users = users;
    this.#log = log;
    this.#reach = reach;
    const secure = reach.publicUrl?.startsWith('https:') ?? false;
    this.#options = { httpOnly: true, sameSite: 'lax', secure };
    // With `__Host-`, no other host of the domain can set the cookie:
    // https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
    const prefix = secure ? '__Host-' : '';
    this.#sessionCookie = `${prefix}call_analytics_session`;
    this.#deviceCookie = `${prefix}call_analytics_device`;
  }

  /**
   * @returns null without a cookie, or when its session has ended
   * @throws HttpProblem `cross_site_request` for a change with a cookie from another site; WorkError when accounts is
   *   unavailable
   */
  async find(req: Request, res: Response): Promise<CurrentSession | null> {
    const token = read(req, this.#sessionCookie);
    if (token === undefined) return null;
    // First, so that another site learns nothing and costs no request to accounts.
    this.refuseOtherSites(req);
    const session = await this.#users.session({ token });
    if (session === null) return null;
    exchangeOf(res).accountId = session.account.id;
    return { session, token, actor: { userId: session.user.id, accountId: session.account.id } };
  }

  /**
   * A request with an `Authorization` header has no session, because an API key is not a user.
   * @throws HttpProblem `not_signed_in`, and all that `find` throws
   */
  async require(req: Request, res: Response): Promise<CurrentSession> {
    const current = req.headers.authorization === undefined ? await this.find(req, res) : null;
    if (current === null)
      throw new HttpProblem(
        'not_signed_in',
        'Sign in first. This request needs a session of the web application; API keys are not accepted.',
      );
    return current;
  }

  /** @throws HttpProblem `cross_site_request` for a change that does not come from a page of this service */
  refuseOtherSites(req: Request): void {
    if (!isUnsafe(req) || isSameOrigin(req, this.#reach)) return;
    throw new HttpProblem(
      'cross_site_request',
      'The request did not come from a page of this service. If it did, the operator must set PUBLIC_URL to the ' +
        'address in your browser.',
    );
  }

  /** The browser of a request, for the limits on attempts and for the first sign-up. */
  browserOf(req: Request): Pick<Origin, 'device' | 'local'> {
    return { device: read(req, this.#deviceCookie), local: isFromThisMachine(req, this.#reach) };
  }

  /** Sets the cookie until the session expires. */
  setCookie(res: Response, { session, token }: Pick<SignedIn, 'session' | 'token'>): void {
    res.cookie(this.#sessionCookie, token, { ...this.#options, expires: session.expiresAt });
  }

  /** Sets the cookies of a new session, and ends the session that the browser had before. */
  async replace(req: Request, res: Response, signedIn: SignedIn): Promise<Session> {
    const previous = read(req, this.#sessionCookie);
    if (previous !== undefined && previous !== signedIn.token)
      await this.#users.signOut({ token: previous }).catch((error: unknown) => {
        this.#log.warn(
          { err: error },
          'the session that a browser had before could not be ended; it expires by itself',
        );
      });
    this.setCookie(res, signedIn);
    // An accounts service of an earlier version returns an empty device.
    if (signedIn.device !== '')
      res.cookie(this.#deviceCookie, signedIn.device, {
        ...this.#options,
        expires: new Date(Date.now() + DEVICE_COOKIE_MS),
      });
    return signedIn.session;
  }

  /** Ends the session of the request, if it has one, and clears the cookie. */
  async end(req: Request, res: Response): Promise<void> {
    const token = read(req, this.#sessionCookie);
    if (token !== undefined) await this.#users.signOut({ token });
    this.clearCookie(res);
  }

  clearCookie(res: Response): void {
    res.cookie(this.#sessionCookie, '', { ...this.#options, maxAge: 0 });
  }
}

function read({ headers }: Request, name: string): string | undefined {
  return (headers.cookie && parseCookie(headers.cookie)[name]) || undefined;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Headers by which a proxy announces itself. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** From where this service can be reached. */
interface Reach {
  /** E.g. `https://calls.example.com`; undefined when it is not set. */
  publicUrl: string | undefined;
  /** All requests come from this machine, and no proxy is configured. */
  onlyThisMachine: boolean;
}

interface ReachSettings {
  PUBLIC_URL?: string | undefined;
  HOST: string;
  TRUSTED_PROXIES: number;
}

export function reachOf({ PUBLIC_URL: publicUrl, HOST: host, TRUSTED_PROXIES: proxies }: ReachSettings): Reach {
  const isPublic = publicUrl !== undefined && !isLoopback(new URL(publicUrl).host);
  return { publicUrl, onlyThisMachine: isLoopback(host) && !isPublic && proxies === 0 };
}

function isUnsafe({ method = '' }: IncomingMessage): boolean {
  return !SAFE_METHODS.has(method);
}

/**
 * Whether a request comes from a page of this service, by `Origin` (which browsers send with every method but GET and
 * HEAD) or `Sec-Fetch-Site`; pages can set neither. The origin must be PUBLIC_URL or loopback, because an attacker can
 * point a host name of their own at this service.
 */
function isSameOrigin({ headers }: IncomingMessage, { publicUrl }: Reach): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  if (!URL.canParse(origin) || host === undefined) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  return isLoopback(host) && /^https?:$/.test(from.protocol) && from.host === host.toLowerCase();
}

/**
 * Whether a request was made on this machine. A proxy that does not announce itself is not detected: set PUBLIC_URL
 * behind one.
 */
function isFromThisMachine({ headers, socket }: IncomingMessage, { onlyThisMachine }: Reach): boolean {
  return (
    onlyThisMachine &&
    isLoopback(withoutIpv6Prefix(socket.remoteAddress ?? '')) &&
    isLoopback(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}

/** The address of the client. Express finds it behind as many proxies as TRUSTED_PROXIES says. */
export function clientAddress({ ip = '' }: Request): string {
  return withoutIpv6Prefix(ip);
}

/** An IPv4 address as IPv6 sockets write it: https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2 */
function withoutIpv6Prefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The sender of a request: a program with an API key, or a signed-in user. Both act for one account. */
export type Client =
  | { account: Account; key: ApiKey; session: null }
  | { account: Account; key: null; session: Session };

/**
 * With an `Authorization` header the key decides, otherwise the session cookie.
 * @throws HttpProblem `invalid_api_key`, the same for every reason; `insufficient_scope` for a change with a key that
 *   may only read; `cross_site_request`; WorkError when accounts is unavailable
 */
export type Authenticate = (req: Request, res: Response) => Promise<Client>;

export function authenticateWith(accounts: Accounts, sessions: Sessions): Authenticate {
  return async (req, res) => {
    const { authorization } = req.headers;
    const client = authorization === undefined ? await bySession(req, res) : await byKey(authorization);
    if (client === null) throw unauthorized();
    exchangeOf(res).accountId = client.account.id;
    if (client.key?.scope === 'read' && isUnsafe(req)) throw insufficientScope();
    return client;
  };

  async function byKey(authorization: string): Promise<Client | null> {
    const apiKey = bearerOf(authorization);
    const found = apiKey === null ? null : await accounts.authenticate({ apiKey });
    return found && { ...found, session: null };
  }

  async function bySession(req: Request, res: Response): Promise<Client | null> {
    const current = await sessions.find(req, res);
    return current && { account: current.session.account, key: null, session: current.session };
  }
}

/** The scheme is case-insensitive (RFC 9110, 11.1). */
function bearerOf(header: string): string | null {
  if (header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return header.slice(7).trim();
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-3.1 */
function insufficientScope(): HttpProblem {
  return new HttpProblem('insufficient_scope', 'This API key may only read. Use a key with the scope "write".', {
    'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write"',
  });
}

export function unauthorized(): HttpProblem {
  return new HttpProblem(
    'invalid_api_key',
    'Send the header "Authorization: Bearer <API key>" with a valid key; keys start with "aca_".',
    { 'WWW-Authenticate': 'Bearer' },
  );
}
