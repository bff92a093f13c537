import type { ServerResponse } from 'node:http';
import { ApiError } from './errors.ts';
import type { Effect } from './faults.ts';

/** @throws ApiError for an effect that is an answer of the API; anything else passes */
export function throwIfError(effect: Effect | null): void {
  switch (effect?.kind) {
    case 'rate-limit':
      throw new ApiError(429, 'Rate limit reached for requests. Please try again later.', {
        type: 'requests',
        code: 'rate_limit_exceeded',
        headers: { 'retry-after': String(effect.retryAfterSeconds ?? 1) },
      });
    case 'quota':
      throw new ApiError(429, 'You exceeded your current quota, please check your plan and billing details.', {
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      });
    case 'server-error':
      throw new ApiError(
        effect.status ?? 500,
        'The server had an error while processing your request. Sorry about that!',
        {
          type: 'server_error',
        },
      );
    default:
  }
}

/** What is sent in place of a whole answer. @returns false when the answer goes out whole */
export function sendBroken(
  effect: Effect | null,
  response: ServerResponse,
  headers: Record<string, string>,
  body: string,
): boolean {
  const half = body.slice(0, Math.max(1, Math.floor(body.length / 2)));
  switch (effect?.kind) {
    case 'cut':
      response.writeHead(200, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
      response.write(half, () => response.destroy());
      return true;
    case 'stall':
      response.writeHead(200, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
      response.write(half);
      return true;
    case 'not-json':
      response.writeHead(200, headers).end(half);
      return true;
    default:
      return false;
  }
}
