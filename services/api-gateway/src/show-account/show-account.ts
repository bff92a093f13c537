import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Me } from '@call-analytics/contracts';
import type { Authenticate, Client } from '../authenticate.ts';
import { sendJson } from '../http/send.ts';

/** GET /me: whose key this is, or whose session. */
export function showAccount(authenticate: Authenticate) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    sendJson(res, 200, meOf(await authenticate(req, res)));
  };
}

function meOf({ account, key }: Client): Me {
  return {
    id: account.id,
    name: account.name,
    createdAt: account.createdAt.toISOString(),
    key: key && {
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      scope: key.scope,
      createdAt: key.createdAt.toISOString(),
      expiresAt: key.expiresAt?.toISOString() ?? null,
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    },
  };
}
