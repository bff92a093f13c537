import { type Call, NOTHING_KEPT } from '@call-analytics/calls';
import { CallDetail, CallList, CallsQuery, Progress, UploadAccepted } from '@call-analytics/contracts';
import { quotedBytes } from '../http/input.ts';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { ACCEPTED, DETAIL, FAILED, IN_QUEUE, LIST, QUEUED, WAITING } from '../openapi/examples.ts';
import { UploadFields } from '../upload/form.ts';
import { IDEMPOTENCY_KEY } from '../upload/uploads.ts';
import { callDetail, listItem, progressOf } from './call-view.ts';
import { type Dependencies, operation } from './operation.ts';

const DETAILS = { completed: DETAIL, queued: QUEUED, failed: FAILED };
const LOCATION = { description: 'Path of the call', schema: { type: 'string' } };
const RETRY_AFTER = { $ref: '#/components/headers/RetryAfter' };
export const REPLAYED = {
  description: '`true` when this is the repeated answer to an earlier request',
  schema: { type: 'string' },
};
const WHY_NOT_RETRYABLE = {
  'not failed': 'Only a failed call can be retried. Read its status with "GET /api/v1/calls/{id}".',
  'nothing kept': NOTHING_KEPT,
};

/**
 * The calls of the account of the caller. The call of another account gets the same response as one that does not
 * exist.
 */
export const callOperations = {
  uploadCall: operation(
    {
      method: 'post',
      path: '/api/v1/calls',
      tag: 'Calls',
      summary: 'Upload a call',
      description: ({ maxUploadBytes, idleMs }) =>
        `Stores the recording and queues it. The limit for a recording is ${quotedBytes(maxUploadBytes)}. An upload ` +
        `has no time limit, but it is aborted when it stalls for ${idleMs / 1000} seconds or sends too slowly. The ` +
        'recording ' +
        'is deleted after the analysis.',
      caller: 'client',
      headers: [
        idempotencyKey(
          'Makes it safe to send the same upload again: there is one call, and the answer has its status now.',
        ),
      ],
      form: UploadFields,
      answer: {
        status: 202,
        description: 'The recording is stored and queued',
        schema: UploadAccepted,
        examples: { accepted: ACCEPTED },
        headers: { 'Retry-After': RETRY_AFTER, Location: LOCATION, 'Idempotency-Replayed': REPLAYED },
      },
      problems: [
        'invalid_multipart',
        'unsupported_media_type',
        'missing_file',
        'too_many_files',
        'invalid_field',
        'invalid_idempotency_key',
        'request_timeout',
        'idempotency_conflict',
        'file_too_large',
        'unsupported_format',
        'empty_file',
        'unreadable_file',
        'too_many_uploads',
      ],
    },
    async ({ req, res, caller: { account } }, { uploads }) => {
      const { call, isReplay, retryAfterSeconds } = await uploads.receive(account.id, req, res);
      const pollUrl = `/api/v1/calls/${call.id}`;
      res.setHeader('Location', pollUrl).setHeader('Retry-After', retryAfterSeconds);
      if (isReplay) res.setHeader('Idempotency-Replayed', 'true');
      return { id: call.id, status: call.status, pollUrl };
    },
  ),

  listCalls: operation(
    {
      method: 'get',
      path: '/api/v1/calls',
      tag: 'Calls',
      summary: 'List calls',
      description: "A page of the account's calls, newest first. `total` is the number of all calls that match.",
      caller: 'client',
      query: CallsQuery,
      answer: { status: 200, description: 'A page of calls', schema: CallList, examples: { page: LIST } },
    },
    async ({ query, caller: { account } }, { calls }) => {
      const page = await calls.reads.list(account.id, query);
      return { calls: page.calls.map(listItem), total: page.total, limit: query.limit, offset: query.offset };
    },
  ),

  getCall: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}',
      tag: 'Calls',
      summary: 'Read a call',
      description: 'One call with its report. Poll it every few seconds until `status` is `completed` or `failed`.',
      caller: 'client',
      answer: { status: 200, description: 'The call', schema: CallDetail, examples: DETAILS },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      return callDetail(await callWithReport(calls, account.id, id));
    },
  ),

  deleteCall: operation(
    {
      method: 'delete',
      path: '/api/v1/calls/{id}',
      tag: 'Calls',
      summary: 'Delete a call',
      description:
        'Hides the call and stops work on it at once. The call can be restored for 30 seconds, unless the operator ' +
        'sets another time. After that, its recording, transcript and report are deleted permanently. Its ' +
        '`Idempotency-Key` can be used again at once. The request can be repeated safely.',
      caller: 'client',
      answer: { status: 204, description: 'The call is deleted' },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      if (!(await calls.remove(account.id, id))) throw callNotFound();
    },
  ),

  getProgress: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/progress',
      tag: 'Calls',
      summary: 'Read the progress of a call',
      description:
        'What the call waits for, or which stage it is in. A call that waits for an engine, for storage or for the ' +
        'end of a day whose spending limit is reached goes on by itself.',
      caller: 'client',
      answer: {
        status: 200,
        description: 'The progress',
        schema: Progress,
        examples: { inQueue: IN_QUEUE, waiting: WAITING },
      },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      const call = await callOf(calls, account.id, id);
      if (call.stage === null || call.lease !== null || call.waiting !== null) return progressOf(call, null, null);
      const now = new Date();
      const [place, pace, { reachedAt }, drained] = await Promise.all([
        calls.reads.queuePlace(call),
        calls.reads.queuePace(account.id, call.stage, now),
        calls.spending.today(account.id),
        calls.reads.drainedStages(),
      ]);
      // The pace of a drained stage is not the one at which it goes on.
      if (reachedAt === null) return progressOf(call, place, drained.has(call.stage) ? null : pace, now);
      return progressOf(call, { ahead: 0, waiting: { for: 'spending_limit', since: reachedAt } }, null);
    },
  ),

  retryCall: operation(
    {
      method: 'post',
      path: '/api/v1/calls/{id}/retry',
      tag: 'Calls',
      summary: 'Retry a failed call',
      description:
        'Puts a failed call back into the queue of the stage that failed. Finished segments and a finished ' +
        'transcript are used again. Possible while `retryable` is true.',
      caller: 'client',
      answer: {
        status: 202,
        description: 'The call is queued again',
        schema: CallDetail,
        examples: { queued: QUEUED },
        headers: { 'Retry-After': RETRY_AFTER, Location: LOCATION },
      },
      problems: ['call_not_found', 'call_not_retryable'],
    },
    async ({ id, res, caller: { account } }, { calls }) => {
      const retried = await calls.retry(account.id, id);
      if (retried === null) throw callNotFound();
      if ('refused' in retried) throw new HttpProblem('call_not_retryable', WHY_NOT_RETRYABLE[retried.refused]);
      res.setHeader('Location', `/api/v1/calls/${retried.call.id}`).setHeader('Retry-After', RETRY_AFTER_SECONDS);
      return callDetail({ call: retried.call, transcript: null, analysis: null });
    },
  ),

  restoreCall: operation(
    {
      method: 'post',
      path: '/api/v1/calls/{id}/restore',
      tag: 'Calls',
      summary: 'Restore a deleted call',
      description:
        'Restores a deleted call with its result, or returns it to the queue for the stage it was in. Later the ' +
        'answer is `call_not_found`. The request can be repeated safely: a call that is not deleted is returned as ' +
        'it is.',
      caller: 'client',
      answer: { status: 200, description: 'The call', schema: CallDetail, examples: DETAILS },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      if (!(await calls.restore(account.id, id))) throw callNotFound();
      return callDetail(await callWithReport(calls, account.id, id));
    },
  ),
};

/** @throws HttpProblem `call_not_found` */
export async function callOf({ reads }: Dependencies['calls'], accountId: string, id: string): Promise<Call> {
  const call = await reads.get(id);
  if (call === null || call.accountId !== accountId || call.removal !== null) throw callNotFound();
  return call;
}

/** A call with what its report is made from. @throws HttpProblem `call_not_found` */
export async function callWithReport({ reads }: Dependencies['calls'], accountId: string, id: string) {
  const found = await reads.detail(accountId, id);
  if (found === null) throw callNotFound();
  return found;
}

export function callNotFound(): HttpProblem {
  return new HttpProblem('call_not_found', 'Call not found. "GET /api/v1/calls" lists the calls of this account.');
}

/** The header parameter of a request that may be sent again. */
export function idempotencyKey(description: string) {
  const schema = { type: 'string', pattern: IDEMPOTENCY_KEY.source };
  return { name: 'Idempotency-Key', in: 'header', required: false, description, schema };
}
