import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AudioStore } from '@call-analytics/audio-store';
import type { Call, Calls, Inserted } from '@call-analytics/calls';
import { currentTraceparent, failureOf, type Logger, type Metrics, point } from '@call-analytics/service-kit';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { unauthorized } from '../session/sessions.ts';
import { discard, type ReceivedForm, receiveForm } from './form.ts';
import type { UploadLimits } from './limits.ts';

/** Printable ASCII. The value of a header never begins or ends with a space (RFC 9110, 5.5). */
export const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

const MAX_RETRY_AFTER_SECONDS = 60;

interface UploadsOptions {
  calls: Calls;
  audioStore: AudioStore;
  limits: UploadLimits;
  /** Uploads of one account at the same time. */
  perAccount: number;
  log: Logger;
  metrics: Metrics;
}

interface AcceptedUpload {
  call: Call;
  /** Whether the call was made by an earlier upload with the same Idempotency-Key. */
  isReplay: boolean;
  retryAfterSeconds: number;
}

/** Receives uploads: stores the recording, then writes the call. */
export class Uploads {
  readonly #options: UploadsOptions;
  /** By account. */
  readonly #inFlight = new Map<string, number>();

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** @throws HttpProblem, ClientGone, or WorkError when a store is unavailable; then no call and no recording stays */
  async receive(accountId: string, req: IncomingMessage, res: ServerResponse): Promise<AcceptedUpload> {
    const key = idempotencyKeyOf(req);
    const { perAccount } = this.#options;
    const inFlight = this.#inFlight.get(accountId) ?? 0;
    if (inFlight >= perAccount) throw tooManyUploads(perAccount);
    this.#inFlight.set(accountId, inFlight + 1);
    try {
      return await this.#receive(accountId, key, req, res);
    } finally {
      const left = (this.#inFlight.get(accountId) ?? 1) - 1;
      if (left > 0) this.#inFlight.set(accountId, left);
      else this.#inFlight.delete(accountId);
    }
  }

  async #receive(
    accountId: string,
    key: string | null,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<AcceptedUpload> {
    const { audioStore, log, metrics, limits } = this.#options;
    const received = await receiveForm(req, res, { audioStore, log, limits, isHashed: key !== null });
    await point('upload.stored', received.key);
    const inserted = await this.#write(accountId, received, key);
    const isReplay = inserted.kind === 'existing';
    if (inserted.kind === 'existing') {
      await discard(audioStore, received.key, log);
      if (!inserted.sameRequest)
        throw new HttpProblem(
          'idempotency_conflict',
          'This Idempotency-Key was used for a different recording, file name or other field. Use a new key for a ' +
            'new upload.',
        );
    } else metrics.uploadBytes.inc({ format: received.format }, received.bytes);
    return { call: inserted.call, isReplay, retryAfterSeconds: await this.#retryAfterSeconds(inserted.call) };
  }

  async #write(accountId: string, received: ReceivedForm, key: string | null): Promise<Inserted> {
    const { fileName, reportType, language, vocabulary, bytes, format, seconds } = received;
    const call = {
      accountId,
      fileName,
      reportType,
      language,
      vocabulary,
      audio: { key: received.key, bytes, format, seconds },
      traceparent: currentTraceparent(),
    };
    try {
      return await this.#options.calls.accept(
        call,
        key === null ? null : { key, fingerprint: fingerprintOf(received) },
      );
    } catch (error) {
      await this.#discardUnlessWritten(received.key);
      // The account was deleted during the upload.
      throw failureOf(error).code === 'no_such_account' ? unauthorized() : error;
    }
  }

  /** Grows with the number of calls of the account that wait before this one. */
  async #retryAfterSeconds(call: Call): Promise<number> {
    if (call.stage === null) return 0;
    if (call.lease !== null) return RETRY_AFTER_SECONDS;
    // The call is written, so a failure of the store must not fail the upload now.
    const place = await this.#options.calls.reads.queuePlace(call).catch(() => null);
    if (place === null) return RETRY_AFTER_SECONDS;
    if (place.waiting !== null) return MAX_RETRY_AFTER_SECONDS;
    return Math.min(MAX_RETRY_AFTER_SECONDS, RETRY_AFTER_SECONDS * (1 + place.ahead));
  }

  /**
   * A store may fail after it has written the call, which then needs its recording. When that is not known, the sweep
   * decides.
   */
  async #discardUnlessWritten(audioKey: string): Promise<void> {
    const { calls, audioStore, log } = this.#options;
    const used = await calls.reads.audioKeysInUse([audioKey]).catch(() => null);
    if (used?.has(audioKey) === false) await discard(audioStore, audioKey, log);
    else
      log.warn({ key: audioKey }, 'call write unconfirmed; the orphan sweep deletes the recording if there is no call');
  }
}

/**
 * The Idempotency-Key header, as in draft-ietf-httpapi-idempotency-key-header.
 * @returns null when there is none
 * @throws HttpProblem when it is empty, longer than 255 characters or not printable ASCII
 */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  const detail = 'The Idempotency-Key header must have 1 to 255 printable ASCII characters, for example a UUID.';
  throw new HttpProblem('invalid_idempotency_key', detail);
}

/**
 * A hash of the whole upload: the same key with another hash is an error of the client. Without language and vocabulary
 * it is that of earlier releases.
 */
function fingerprintOf({ sha256, fileName, reportType, language, vocabulary }: ReceivedForm): string {
  const more = language === null && vocabulary.length === 0 ? [] : [language, vocabulary];
  return createHash('sha256')
    .update(JSON.stringify([sha256, fileName, reportType, ...more]))
    .digest('hex');
}

function tooManyUploads(limit: number): HttpProblem {
  return new HttpProblem(
    'too_many_uploads',
    `This account has ${limit} uploads in progress, which is the limit. Wait until one of them ends, then send this ` +
      'one again.',
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );
}
