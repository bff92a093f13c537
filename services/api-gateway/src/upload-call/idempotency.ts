import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../http/problem.ts';
import type { Received } from './receive.ts';

/** Printable ASCII. A header's value never begins or ends with a space (RFC 9110, 5.5). */
export const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/**
 * The Idempotency-Key header, as in draft-ietf-httpapi-idempotency-key-header: the client's name for one upload, however often it is sent.
 * @returns null when there is none
 * @throws HttpProblem when it is empty, longer than 255 characters or not printable ASCII
 */
export function idempotencyKeyOf(req: IncomingMessage): string | null {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw new HttpProblem(
    'invalid_idempotency_key',
    'The Idempotency-Key header must have 1 to 255 printable ASCII characters, for example a UUID.',
  );
}

/** A hash of everything the upload asked for: the same key with another one is a mistake of the client. */
export function fingerprintOf({ sha256, fileName, reportType }: Received): string {
  return createHash('sha256')
    .update(JSON.stringify([sha256, fileName, reportType]))
    .digest('hex');
}
