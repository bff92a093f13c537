import type { Account, Accounts, ApiKey, Session } from '@call-analytics/accounts';
import type { Request, Response } from 'express';
import { exchangeOf } from '../http/exchange.ts';
import { HttpProblem } from '../http/problem.ts';
import { isUnsafe } from './same-origin.ts';
import type { Sessions } from './sessions.ts';

/** The sender of a request: a program with an API key, or a signed-in user. Both act for one account. */
export type Client =
  | { account: Account; key: ApiKey; session: null }
  | { account: Account; key: null; session: Session };

/**
 * With an `Authorization` header the key decides, otherwise the session cookie.
 * @throws HttpProblem `invalid_api_key`, the same for every reason; `insufficient_scope` for a change with a key that
 *   may
 *   only read; `cross_site_request`; WorkError when accounts is away
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
