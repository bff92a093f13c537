import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account, Accounts, ApiKey } from '@call-analytics/accounts';
import { exchangeOf } from './http/exchange.ts';
import { HttpProblem } from './http/problem.ts';

export interface Client {
  account: Account;
  key: ApiKey;
}

/** @throws HttpProblem `invalid_api_key`, the same for every reason; WorkError when the accounts do not answer */
export type Authenticate = (req: IncomingMessage, res: ServerResponse) => Promise<Client>;

export function authenticateWith(accounts: Accounts): Authenticate {
  return async (req, res) => {
    const apiKey = bearerOf(req.headers.authorization);
    const client = apiKey === null ? null : await accounts.authenticate({ apiKey });
    if (client === null) throw unauthorized();
    exchangeOf(res).accountId = client.account.id;
    return client;
  };
}

/** The scheme is case-insensitive (RFC 9110, 11.1). */
function bearerOf(header: string | undefined): string | null {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return header.slice(7).trim();
}

function unauthorized(): HttpProblem {
  return new HttpProblem('invalid_api_key', 'Send the header "Authorization: Bearer <API key>" with a valid key; keys start with "aca_".', {
    'WWW-Authenticate': 'Bearer',
  });
}
