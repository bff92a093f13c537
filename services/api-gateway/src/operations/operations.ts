import type { Origin } from '@call-analytics/accounts';
import type { Express, Request, RequestHandler, Response } from 'express';
import { send, sendJson, sendNothing, traced } from '../http/exchange.ts';
import { readBody, readParameters, readPath, refuseParameters } from '../http/input.ts';
import { HttpProblem } from '../http/problem.ts';
import { type Authenticate, clientAddress } from '../session/sessions.ts';
import { accountOperations, keyOperations, vocabularyOperations } from './account.ts';
import { callSearchOperations } from './call-search.ts';
import { callOperations } from './calls.ts';
import { analysisOperations, correctionOperations, speakerOperations } from './corrections.ts';
import { eventOperations } from './events.ts';
import { evidenceOperations } from './evidence.ts';
import { memberOperations } from './members.ts';
import type { Dependencies, Operation, OperationRequest, ServedOperation } from './operation.ts';
import { scorecardOperations } from './scorecard.ts';
import { sessionOperations, userOperations } from './session.ts';
import { spendingOperations } from './spending.ts';
import { trackerOperations } from './trackers.ts';
import { transcriptOperations } from './transcript.ts';

/** `/api/v1`, for programs and pages. */
export const API_OPERATIONS: Readonly<Record<string, ServedOperation>> = {
  ...callOperations,
  ...transcriptOperations,
  ...speakerOperations,
  ...evidenceOperations,
  ...scorecardOperations,
  ...correctionOperations,
  ...analysisOperations,
  ...trackerOperations,
  ...vocabularyOperations,
  ...spendingOperations,
  ...accountOperations.api,
};

/** `/app`, what the pages need beyond `/api/v1`. It may change with the pages. */
export const APP_OPERATIONS: Readonly<Record<string, ServedOperation>> = {
  ...sessionOperations,
  ...userOperations,
  ...keyOperations,
  ...memberOperations,
  ...accountOperations.app,
  ...callSearchOperations,
  ...eventOperations,
};

const MAX_USER_AGENT_CHARACTERS = 300;

/** Adds a route for each operation. Other methods at its address get 405. */
export function serveOperations(app: Express, dependencies: Dependencies, authenticate: Authenticate): void {
  const all = [...Object.values(API_OPERATIONS), ...Object.values(APP_OPERATIONS)];
  for (const [path, served] of Map.groupBy(all, ({ operation }) => operation.path.replaceAll(/\{(\w+)\}/g, ':$1'))) {
    const route = app.route(path);
    for (const each of served) route[each.operation.method](traced(path, serve(each)));
    const methods = served.map(({ operation: { method } }) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase()));
    methods.sort((one, other) => Number(other.startsWith('GET')) - Number(one.startsWith('GET')));
    route.all(onlyMethods(methods.join(', ')));
  }

  function serve({ operation, handle }: ServedOperation) {
    return async (req: Request<{ id: string }>, res: Response): Promise<void> => {
      const caller = await callerOf(operation, req, res);
      const query =
        operation.query === undefined ? refuseParameters(req.url) : readParameters(req.url, operation.query);
      const parameters = operation.pathParameters && readPath(req.params, operation.pathParameters);
      const body = operation.body && (await readBody(req, res, operation.body, operation.bodyBytes));
      const request = {
        req,
        res,
        id: req.params.id,
        caller,
        query,
        parameters,
        body,
        // A getter would give each request a hidden class of its own, which keeps it until a major collection.
        origin: () => originOf(req),
      } as unknown as OperationRequest<Operation>;
      const value: unknown = await handle(request, dependencies);
      const { status, stream, text } = operation.answer;
      if (stream) return;
      if (text !== undefined) return send(res, status, `${text}; charset=utf-8`, String(value));
      if (value === undefined) sendNothing(res, status);
      else sendJson(res, status, value);
    };
  }

  async function callerOf({ caller }: Operation, req: Request, res: Response) {
    const { sessions } = dependencies;
    if (caller === 'client') return authenticate(req, res);
    // Also without a cookie: a sign-in from another site would change the session of this browser.
    sessions.refuseOtherSites(req);
    return caller === 'session' ? sessions.require(req, res) : null;
  }

  function originOf(req: Request): Origin {
    return {
      ip: clientAddress(req),
      userAgent: String(req.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_CHARACTERS),
      ...dependencies.sessions.browserOf(req),
    };
  }
}

/** Answers the methods that an address does not support. @param allow the supported ones */
export function onlyMethods(allow: string): RequestHandler {
  return ({ method }) => {
    const detail = `${method} is not supported at this address. Supported: ${allow}.`;
    throw new HttpProblem('method_not_allowed', detail, { Allow: allow });
  };
}
