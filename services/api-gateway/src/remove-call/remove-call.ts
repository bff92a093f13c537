import type { ServerResponse } from 'node:http';
import type { Calls } from '@call-analytics/calls';
import type { Request } from 'express';
import type { Authenticate } from '../authenticate.ts';
import { sendNothing } from '../http/send.ts';
import { noSuchCall } from '../show-call/no-such-call.ts';

/** DELETE /calls/:id: nobody sees the call any more, and nobody works on it. Sent again it is answered the same, until nothing of the call is left. */
export function removeCall(authenticate: Authenticate, calls: Calls) {
  return async (req: Request<{ id: string }>, res: ServerResponse): Promise<void> => {
    const { account } = await authenticate(req, res);
    if (!(await calls.remove(account.id, req.params.id))) throw noSuchCall();
    sendNothing(res);
  };
}
