import type { Actor, Origin, Session, SignedIn, Users } from '@call-analytics/accounts';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { exchangeOf } from '../http/exchange.ts';
import { HttpProblem } from '../http/problem.ts';
import { isFromThisMachine, isSameOrigin, isUnsafe, type Reach } from './same-origin.ts';

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
  readonly #reach: Reach;
  readonly #options: CookieOptions;
  readonly #sessionCookie: string;
  /** Marks a browser in which a user has signed in, for the limits on attempts. It signs no one in. */
  readonly #deviceCookie: string;

  constructor(users: Users, reach: Reach) {
    this.#users = users;
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
   *   away
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
      'The request did not come from a page of this service. If it did, the operator must set PUBLIC_URL to the address in your browser.',
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
    // If the old session cannot be ended now, it expires by itself.
    if (previous !== undefined && previous !== signedIn.token)
      await this.#users.signOut({ token: previous }).catch(() => {});
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
