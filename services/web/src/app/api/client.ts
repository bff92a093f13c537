import type { Problem } from '@call-analytics/contracts';
import createClient from 'openapi-fetch';
import { common } from '../texts/en/common.ts';
import { reportReachable, reportUnreachable, waitUntilSignedIn } from './connection.ts';
import type { paths as Api } from './generated/api.ts';
import type { paths as App } from './generated/app.ts';

/**
 * The API as its OpenAPI document describes it: `await answered(api.GET('/app/keys'))`.
 * A request that finds the session over waits until somebody has signed in again, and is then sent once more.
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

/** The question who is signed in may be answered with nobody: then there is nothing to go on with. */
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
  /** Answers to what `public/early.js` has asked, by path and query. */
  var early: Record<string, Promise<Response>> | undefined;
}

/** @returns the answer that was asked for before the page's scripts had arrived; each is given once */
export function earlyResponse({ method, url }: Request): Promise<Response> | null {
  const { pathname, search } = new URL(url);
  const path = pathname + search;
  const response = globalThis.early?.[path];
  if (method !== 'GET' || response === undefined) return null;
  delete globalThis.early?.[path];
  return response;
}

/** An answer that is an error, in the API's own words: `message` may be shown, it says what to do. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  /** Milliseconds to wait before asking again; null when the answer did not say. */
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

/** Nothing answered: no network, no server, or a proxy whose server is gone. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Whether the same request may go through later. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ProblemError && (error.status >= 500 || error.status === 408))
  );
}

/** @returns what an answer that is no success says; also when it is not the API that answered */
export function problemOf(response: Response, body: unknown): ProblemError | UnreachableError {
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

/** What went wrong, for people. */
export function errorText(error: unknown): string {
  if (error instanceof ProblemError) return error.message;
  if (error instanceof UnreachableError) return common.unreachable;
  return common.somethingBrokeWhy;
}

/** Every address of both APIs, with what it takes and gives. */
export type Paths = Api & App;
