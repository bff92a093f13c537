import type { ServerResponse } from 'node:http';
import type { Calls } from '@call-analytics/calls';
import type { Request } from 'express';
import type { Authenticate } from '../authenticate.ts';
import { sendJson } from '../http/send.ts';
import { noSuchCall } from './no-such-call.ts';
import { scorecardOf } from './scorecard.ts';
import { callDetail } from './view.ts';

/** GET /calls/:id: one call with its report. A call of another account answers like one that never was. */
export function showCall(authenticate: Authenticate, calls: Calls) {
  return async (req: Request<{ id: string }>, res: ServerResponse): Promise<void> => {
    const { account } = await authenticate(req, res);
    const found = await calls.reads.detail(account.id, req.params.id);
    if (found === null) throw noSuchCall();
    sendJson(res, 200, callDetail(found));
  };
}

/** GET /calls/:id/scorecard: what the score is the sum of, or why there is none. */
export function showScorecard(authenticate: Authenticate, calls: Calls) {
  return async (req: Request<{ id: string }>, res: ServerResponse): Promise<void> => {
    const { account } = await authenticate(req, res);
    const found = await calls.reads.detail(account.id, req.params.id);
    if (found === null) throw noSuchCall();
    sendJson(res, 200, scorecardOf(found.call, found.analysis));
  };
}
