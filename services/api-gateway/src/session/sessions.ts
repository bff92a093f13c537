import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor, Origin, Session, SignedIn, Users } from '@call-analytics/accounts';
import { exchangeOf } from '../http/exchange.ts';
import { HttpProblem } from '../http/problem.ts';
import { Cookie } from './cookie.ts';
import { changesSomething, isFromThisMachine, isSameOrigin, type Reach } from './same-origin.ts';

/** The longest that browsers keep a cookie is 400 days. */
const DEVICE_COOKIE_MS = 365 * 86_400_000;

/** A session that a request came with. */
export interface Present {
  session: Session;
  /** The cookie's value: whoever has it is this user. */
  token: string;
  /** The user, as who asks for something on behalf of the account. */
  actor: Actor;
}

/** The second credential: the cookie of somebody who has signed in. */
export class Sessions {
  readonly #users: Users;
  readonly #reach: Reach;
  readonly #cookie: Cookie;
  /** Makes a browser known in which somebody has signed in; it signs nobody in. */
  readonly #deviceCookie: Cookie;

  constructor(users: Users, reach: Reach) {
    this.#users = users;
    this.#reach = reach;
    const overTls = reach.publicUrl?.startsWith('https:') ?? false;
    this.#cookie = new Cookie('call_analytics_session', overTls);
    this.#deviceCookie = new Cookie('call_analytics_device', overTls);
  }

  /**
   * @returns null when there is no cookie, or its session is over
   * @throws HttpProblem `cross_site_request` when it carries a cookie, changes something and does not come from a page of this service; WorkError when the accounts do not answer
   */
  async find(req: IncomingMessage, res: ServerResponse): Promise<Present | null> {
    const token = this.#cookie.read(req);
    if (token === null) return null;
    // Before the accounts are asked: another site learns nothing, and costs nothing.
    this.refuseOtherSites(req);
    const session = await this.#users.session({ token });
    if (session === null) return null;
    exchangeOf(res).accountId = session.account.id;
    return { session, token, actor: { userId: session.user.id, accountId: session.account.id } };
  }

  /** @throws HttpProblem `not_signed_in`, and all that `find` throws. A request with an `Authorization` header is judged by it alone, and no API key is a person */
  async require(req: IncomingMessage, res: ServerResponse): Promise<Present> {
    const present = req.headers.authorization === undefined ? await this.find(req, res) : null;
    if (present === null)
      throw new HttpProblem(
        'not_signed_in',
        'Sign in first. This request needs a session of the web application; API keys are not accepted.',
      );
    return present;
  }

  /** @throws HttpProblem `cross_site_request` for a request that changes something and does not come from a page of this service */
  refuseOtherSites(req: IncomingMessage): void {
    if (!changesSomething(req) || isSameOrigin(req, this.#reach)) return;
    throw new HttpProblem(
      'cross_site_request',
      'The request did not come from a page of this service. If it did, the operator must set PUBLIC_URL to the address in your browser.',
    );
  }

  /** What a request says of its browser, for the limits on attempts and the first sign-up. */
  browserOf(req: IncomingMessage): Pick<Origin, 'device' | 'local'> {
    return { device: this.#deviceCookie.read(req) ?? undefined, local: isFromThisMachine(req, this.#reach) };
  }

  /** The cookie of the token for as long as the session lasts. */
  begin(res: ServerResponse, { session, token }: Pick<SignedIn, 'session' | 'token'>): void {
    this.#cookie.give(res, token, session.expiresAt);
  }

  /** As `begin`. The session that the browser had until now would be nobody's: it ends. */
  async replace(req: IncomingMessage, res: ServerResponse, signedIn: SignedIn): Promise<void> {
    const until = this.#cookie.read(req);
    // The new one begins also when the old one cannot be ended now: that one then ends by itself.
    if (until !== null && until !== signedIn.token) await this.#users.signOut({ token: until }).catch(() => {});
    this.begin(res, signedIn);
    // An accounts service of an earlier version gives none.
    if (signedIn.device !== '') this.#deviceCookie.give(res, signedIn.device, new Date(Date.now() + DEVICE_COOKIE_MS));
  }

  /** Ends the session of the request, if it has one, and takes its cookie back. */
  async end(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const token = this.#cookie.read(req);
    if (token !== null) await this.#users.signOut({ token });
    this.forget(res);
  }

  /** Takes the cookie back. */
  forget(res: ServerResponse): void {
    this.#cookie.takeBack(res);
  }
}
