import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account, Accounts, ApiKey, Session } from '@call-analytics/accounts';
import { exchangeOf } from './http/exchange.ts';
import { refuseParameters } from './http/parameters.ts';
import { HttpProblem } from './http/problem.ts';
import { changesSomething } from './session/same-origin.ts';
import type { Sessions } from './session/sessions.ts';

/** Who asks: a program with an API key, or somebody who has signed in. Either sees the calls of one account. */
export type Client =
  | { account: Account; key: ApiKey; session: null }
  | { account: Account; key: null; session: Session };

/**
 * A request with an `Authorization` header is judged by it alone, every other by the cookie of the web application.
 * Query parameters are refused unless the caller reads the query itself.
 * @throws HttpProblem `invalid_api_key`, the same for every reason; `insufficient_scope` for a change with a key that may only read;
 *   `cross_site_request`; `invalid_parameter`; WorkError when the accounts do not answer
 */
export type Authenticate = (
  req: IncomingMessage,
  res: ServerResponse,
  options?: { readsQuery: boolean },
) => Promise<Client>;

export function authenticateWith(accounts: Accounts, sessions: Sessions): Authenticate {
  return async (req, res, { readsQuery } = { readsQuery: false }) => {
    const { authorization } = req.headers;
    const client = authorization === undefined ? await bySession(req, res) : await byKey(authorization);
    if (client === null) throw unauthorized();
    exchangeOf(res).accountId = client.account.id;
    if (client.key?.scope === 'read' && changesSomething(req)) throw insufficientScope();
    if (!readsQuery) refuseParameters(req.url ?? '');
    return client;
  };

  async function byKey(authorization: string): Promise<Client | null> {
    const apiKey = bearerOf(authorization);
    const known = apiKey === null ? null : await accounts.authenticate({ apiKey });
    return known === null ? null : { ...known, session: null };
  }

  async function bySession(req: IncomingMessage, res: ServerResponse): Promise<Client | null> {
    const present = await sessions.find(req, res);
    return present === null ? null : { account: present.session.account, key: null, session: present.session };
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
    {
      'WWW-Authenticate': 'Bearer',
    },
  );
}
