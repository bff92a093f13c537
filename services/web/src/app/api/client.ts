import createClient from 'openapi-fetch';
import { heardNothing, heardServer } from './connection.ts';
import { earlyResponse } from './early.ts';
import type { Paths } from './paths.ts';
import { problemOf, UnreachableError } from './problem.ts';
import { signedInAgain } from './signed-out.ts';

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
  await signedInAgain();
  return reach(again);
}

async function reach(request: Request): Promise<Response> {
  try {
    const response = await (earlyResponse(request) ?? fetch(request));
    if (response.status < 502 || response.status > 504 || isProblem(response)) heardServer();
    else heardNothing();
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    heardNothing();
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
