import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallSummary, Calls } from '@call-analytics/calls';
import type { CallList, CallListItem } from '@call-analytics/contracts';
import type { Authenticate } from '../authenticate.ts';
import { sendJson } from '../http/send.ts';
import { resultOf } from '../show-call/view.ts';
import { readQuery } from './query.ts';

/** GET /calls: a page of the account's calls, newest first. */
export function listCalls(authenticate: Authenticate, calls: Calls) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { account } = await authenticate(req, res, { readsQuery: true });
    const query = readQuery(req.url ?? '');
    const page = await calls.reads.list(account.id, query);
    const { limit, offset } = query;
    const list: CallList = { calls: page.calls.map(listItem), total: page.total, limit, offset };
    sendJson(res, 200, list);
  };
}

/** A call as the list shows it. */
export function listItem(call: CallSummary): CallListItem {
  return {
    id: call.id,
    fileName: call.fileName,
    status: call.status,
    reportType: call.reportType,
    ...resultOf(call),
    createdAt: call.createdAt.toISOString(),
    updatedAt: call.updatedAt.toISOString(),
  };
}
