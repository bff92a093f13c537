import type { ServerResponse } from 'node:http';
import { type Call, type Calls, type QueuePlace, waitingWords } from '@call-analytics/calls';
import type { Progress } from '@call-analytics/contracts';
import type { Request } from 'express';
import type { Authenticate } from '../authenticate.ts';
import { sendJson } from '../http/send.ts';
import { noSuchCall } from '../show-call/no-such-call.ts';

/** GET /calls/:id/progress: what a call waits for, or which stage it is in. Reads neither transcript nor analysis. */
export function showProgress(authenticate: Authenticate, calls: Calls) {
  return async (req: Request<{ id: string }>, res: ServerResponse): Promise<void> => {
    const { account } = await authenticate(req, res);
    const call = await calls.reads.get(req.params.id);
    if (call === null || call.accountId !== account.id || call.removal !== null) throw noSuchCall();
    sendJson(res, 200, progressOf(call, await placeOf(call, calls)));
  };
}

/** @returns null for a call that is finished, worked on, or waits for more than its turn */
async function placeOf(call: Call, calls: Calls): Promise<QueuePlace | null> {
  if (call.stage === null || call.lease !== null || call.waiting !== null) return null;
  return calls.reads.queuePlace(call);
}

function progressOf({ status, stage, waiting, nextAttemptAt, updatedAt }: Call, place: QueuePlace | null): Progress {
  // What a call of the account waits for, those behind it wait for too.
  const dependency = waiting ?? place?.waiting ?? null;
  const inQueue = place !== null && nextAttemptAt === null && dependency === null;
  return {
    status,
    stage,
    waitingFor:
      dependency === null
        ? null
        : { code: dependency.for, message: waitingWords(dependency.for), since: dependency.since.toISOString() },
    queue: inQueue ? { position: place.ahead + 1 } : null,
    updatedAt: updatedAt.toISOString(),
  };
}
