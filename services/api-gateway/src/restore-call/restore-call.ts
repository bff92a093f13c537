import type { ServerResponse } from 'node:http';
import type { Calls } from '@call-analytics/calls';
import type { Request } from 'express';
import type { Authenticate } from '../authenticate.ts';
import { sendJson } from '../http/send.ts';
import { noSuchCall } from '../show-call/no-such-call.ts';
import { callDetail } from '../show-call/view.ts';

/** POST /calls/:id/restore: a deleted call is back, if it is not too late. A call that is not deleted is answered as it is, so that the request may be sent again. */
export function restoreCall(authenticate: Authenticate, calls: Calls) {
  return async (req: Request<{ id: string }>, res: ServerResponse): Promise<void> => {
    const { account } = await authenticate(req, res);
    const found = (await calls.restore(account.id, req.params.id))
      ? await calls.reads.detail(account.id, req.params.id)
      : null;
    if (found === null) throw noSuchCall();
    sendJson(res, 200, callDetail(found));
  };
}
