import type { ServerResponse } from 'node:http';
import type { Calls } from '@call-analytics/calls';
import type { Request } from 'express';
import type { Authenticate } from '../authenticate.ts';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { sendJson } from '../http/send.ts';
import { noSuchCall } from '../show-call/no-such-call.ts';
import { callDetail } from '../show-call/view.ts';

const WHY_NOT = {
  'not failed': 'Only a failed call can be retried. Read its status with "GET /api/v1/calls/{id}".',
  'nothing kept': 'Neither the recording nor a transcript of this call is kept. Upload the recording again.',
};

/** POST /calls/:id/retry: a failed call goes back into the queue of the stage that failed. */
export function retryCall(authenticate: Authenticate, calls: Calls) {
  return async (req: Request<{ id: string }>, res: ServerResponse): Promise<void> => {
    const { account } = await authenticate(req, res);
    const retried = await calls.retry(account.id, req.params.id);
    if (retried === null) throw noSuchCall();
    if ('refused' in retried) throw new HttpProblem('call_not_retryable', WHY_NOT[retried.refused]);
    const { call } = retried;
    sendJson(res, 202, callDetail({ call, transcript: null, analysis: null }), {
      Location: `/api/v1/calls/${call.id}`,
      'Retry-After': String(RETRY_AFTER_SECONDS),
    });
  };
}
