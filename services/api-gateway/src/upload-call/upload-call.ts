import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call, Calls, Inserted } from '@call-analytics/calls';
import type { UploadAccepted } from '@call-analytics/contracts';
import { currentTraceparent, failureOf, type Metrics, point } from '@call-analytics/service-kit';
import { type Authenticate, unauthorized } from '../authenticate.ts';
import { InFlight } from '../http/in-flight.ts';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { sendJson } from '../http/send.ts';
import { fingerprintOf, idempotencyKeyOf } from './idempotency.ts';
import { type Received, type Reception, receive } from './receive.ts';
import { discard } from './storage-engine.ts';

/** The longest `Retry-After` of an accepted upload. */
const LONGEST_WAIT_SECONDS = 60;

/** POST /calls: stores the recording, queues it, and answers with the address of the call. */
export function uploadCall(authenticate: Authenticate, calls: Calls, metrics: Metrics, reception: Reception) {
  const { audioStore, log } = reception;
  const inFlight = new InFlight(reception.perAccount);

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { account } = await authenticate(req, res);
    const key = idempotencyKeyOf(req);
    const end = inFlight.begin(account.id);
    if (end === null) throw tooManyUploads(reception.perAccount);
    try {
      await take(account.id, key, req, res);
    } finally {
      end();
    }
  };

  async function take(accountId: string, key: string | null, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const received = await receive(req, res, key !== null, reception);
    await point('upload.stored', received.key);
    const inserted = await accept(accountId, received, key);
    if (inserted.kind === 'existing') {
      await discard(audioStore, received.key, log);
      if (!inserted.sameRequest)
        throw new HttpProblem(
          'idempotency_conflict',
          'This Idempotency-Key was used for a different recording, file name or report type. Use a new key for a new upload.',
        );
    } else metrics.uploadBytes.inc({ format: received.format }, received.bytes);
    answer(res, inserted, await secondsToWait(inserted.call));
  }

  async function accept(accountId: string, received: Received, key: string | null): Promise<Inserted> {
    const { fileName, reportType, bytes, format, seconds } = received;
    const call = {
      accountId,
      fileName,
      reportType,
      audio: { key: received.key, bytes, format, seconds },
      traceparent: currentTraceparent(),
    };
    try {
      return await calls.accept(call, key === null ? null : { key, fingerprint: fingerprintOf(received) });
    } catch (error) {
      await discardUnlessWritten(received.key);
      // Deleted while the recording was on its way: there is nobody any more whose call it could be.
      throw failureOf(error).code === 'no_such_account' ? unauthorized() : error;
    }
  }

  /** When a first look is worth it: later, the more calls of the account wait before this one. */
  async function secondsToWait(call: Call): Promise<number> {
    if (call.stage === null) return 0;
    if (call.lease !== null) return RETRY_AFTER_SECONDS;
    // The call is written: a store that does not answer now must not fail the upload.
    const place = await calls.reads.queuePlace(call).catch(() => null);
    if (place === null) return RETRY_AFTER_SECONDS;
    const seconds = RETRY_AFTER_SECONDS * (1 + place.ahead);
    return Math.min(LONGEST_WAIT_SECONDS, place.waiting === null ? seconds : LONGEST_WAIT_SECONDS);
  }

  /** A store may fail after it has written: then the recording belongs to a call, and deleting it would lose the call. Unasked, the sweep decides. */
  async function discardUnlessWritten(audioKey: string): Promise<void> {
    const used = await calls.reads.audioKeysInUse([audioKey]).catch(() => null);
    if (used?.has(audioKey) === false) await discard(audioStore, audioKey, log);
    else log.warn({ key: audioKey }, 'it is not known whether the call was written; the sweep will tell');
  }
}

function tooManyUploads(limit: number): HttpProblem {
  return new HttpProblem(
    'too_many_uploads',
    `This account has ${limit} uploads in progress, which is the limit. Wait until one of them ends, then send this one again.`,
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );
}

function answer(res: ServerResponse, { kind, call }: Inserted, retryAfterSeconds: number): void {
  const pollUrl = `/api/v1/calls/${call.id}`;
  const accepted: UploadAccepted = { id: call.id, status: call.status, pollUrl };
  sendJson(res, 202, accepted, {
    Location: pollUrl,
    'Retry-After': String(retryAfterSeconds),
    ...(kind === 'existing' ? { 'Idempotency-Replayed': 'true' } : {}),
  });
}
