import type { ServerResponse } from 'node:http';
import type { Express, Request, RequestHandler } from 'express';
import { readBody } from '../http/body.ts';
import { clientAddress } from '../http/client-address.ts';
import { readParameters, refuseParameters } from '../http/parameters.ts';
import { ruleOf } from '../http/rule.ts';
import { sendJson, sendNothing } from '../http/send.ts';
import { traced } from '../http/traced.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Asked, Handler, Operation } from './operation.ts';
import { OPERATIONS, type OperationId, type Operations } from './operations.ts';

export type Handlers = { [Id in OperationId]: Handler<Operations[Id]> };

const LONGEST_USER_AGENT = 300;

/**
 * Puts the operations at their addresses.
 * @param trustedProxies how many proxies of our own are in front
 * @param only answers the methods that an address does not take
 */
export function serveOperations(
  app: Express,
  handlers: Handlers,
  {
    sessions,
    trustedProxies,
    only,
  }: { sessions: Sessions; trustedProxies: number; only: (allow: string) => RequestHandler },
): void {
  const entries = Object.entries(OPERATIONS) as [OperationId, Operation][];
  // What has a name of its own before what takes any.
  const inOrder = entries.toSorted(
    ([, one], [, other]) => Number(one.path.includes('{')) - Number(other.path.includes('{')),
  );
  for (const [path, operations] of Map.groupBy(inOrder, ([, { path }]) => path.replace('{id}', ':id'))) {
    const route = app.route(path);
    for (const [id, operation] of operations)
      route[operation.method](traced(path, serve(operation, handlers[id] as Handler<Operation>)));
    const methods = operations.map(([, { method }]) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase()));
    route.all(only(methods.join(', ')));
  }

  function serve(operation: Operation, handle: Handler<Operation>) {
    return async (req: Request<{ id: string }>, res: ServerResponse): Promise<void> => {
      // Also without a cookie: signing somebody in is a change to their browser.
      sessions.refuseOtherSites(req);
      const present = operation.signedIn ? await sessions.require(req, res) : null;
      const asked = {
        req,
        res,
        id: req.params.id,
        present,
        query:
          operation.query === undefined ? refuseParameters(req.url) : readParameters(req.url, operation.query, ruleOf),
        body: operation.body && (await readBody(req, res, operation.body)),
        origin: {
          ip: clientAddress(req, trustedProxies),
          userAgent: String(req.headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT),
          ...sessions.browserOf(req),
        },
      } as unknown as Asked<Operation>;
      answer(res, operation, await handle(asked));
    };
  }
}

function answer(res: ServerResponse, { answer: { status, stream } }: Operation, value: unknown): void {
  if (stream) return;
  if (value === undefined) sendNothing(res, status);
  else sendJson(res, status, value);
}
