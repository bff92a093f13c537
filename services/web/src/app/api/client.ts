import type { Problem } from '@call-analytics/contracts';
import createClient from 'openapi-fetch';
import { common } from '../texts/en/common.ts';
import { reportReachable, reportUnreachable, waitUntilSignedIn } from './connection.ts';
import type { paths as Api } from './generated/api.ts';
import type { paths as App } from './generated/app.ts';

/**
 * The API as its OpenAPI document describes it: `await answered(api.GET('/app/keys'))`.
 * A request that finds the session over waits until the user has signed in again, and is then sent once more.
 */
export const api = createClient<Paths>({ baseUrl: location.origin, fetch: send });

/**
 * @returns the body of the answer
 * @throws ProblemError when it is an error; UnreachableError when nothing answered
 */
export async function answered<T>(exchange: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await exchange;
  if (!response.ok) throw problemOf(response, error);
  return data as T;
}

async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await reach(request);
  if (response.status !== 401 || !(await isSignedOut(response))) return response;
  await waitUntilSignedIn();
  return reach(again);
}

async function reach(request: Request): Promise<Response> {
  try {
    const response = await (earlyResponse(request) ?? fetch(request));
    if (response.status < 502 || response.status > 504 || isProblem(response)) reportReachable();
    else reportUnreachable();
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    reportUnreachable();
    throw new UnreachableError('nothing answered', { cause: error });
  }
}

/** `/app/session` answers 401 when no user is signed in. No session has ended then. */
async function isSignedOut(response: Response): Promise<boolean> {
  if (new URL(response.url).pathname === '/app/session') return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    ['not_signed_in', 'invalid_api_key'].includes(String(body.code))
  );
}

function isProblem(response: Response): boolean {
  return response.headers.get('Content-Type')?.startsWith('application/problem+json') ?? false;
}

declare global {
  /** Responses to the requests of `public/early.js`, by path and query. */
  var early: Record<string, Promise<Response>> | undefined;
}

/** @returns the response that was requested before the page's scripts arrived; each is used once */
function earlyResponse({ method, url }: Request): Promise<Response> | null {
  const { pathname, search } = new URL(url);
  const path = pathname + search;
  const response = globalThis.early?.[path];
  if (method !== 'GET' || response === undefined) return null;
  delete globalThis.early?.[path];
  return response;
}

/** An error response of the API. `message` is for the user and says what to do. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  /** Milliseconds to wait before a retry; null if the response does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    { code, status, detail, requestId }: Pick<Problem, 'code' | 'status' | 'detail'> & { requestId?: string },
    retryAfterMs: number | null,
  ) {
    super(detail);
    this.code = code;
    this.status = status;
    this.requestId = requestId ?? null;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No response: no network, no server, or a proxy without its server. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ProblemError && (error.status >= 500 || error.status === 408))
  );
}

/** @returns the error of a response that is not a success, also if the API did not send it */
function problemOf(response: Response, body: unknown): ProblemError | UnreachableError {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : null;
  if (isProblemBody(body)) return new ProblemError(body, retryAfterMs);
  if (response.status >= 502 && response.status <= 504) return new UnreachableError(`${response.status}`);
  return new ProblemError(
    { code: 'unknown', status: response.status, detail: `${response.status} ${response.statusText}`.trim() },
    retryAfterMs,
  );
}

function isProblemBody(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && typeof body.detail === 'string'
  );
}

/** The message of an error for the user. */
export function errorText(error: unknown): string {
  if (error instanceof ProblemError) return error.message;
  if (error instanceof UnreachableError) return common.unreachable;
  return common.somethingBrokeWhy;
}

/** All paths of both APIs. */
export type Paths = Api & App;
