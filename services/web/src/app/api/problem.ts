import type { Problem } from '@call-analytics/contracts';

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
export function mayPass(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ProblemError && (error.status >= 500 || error.status === 408))
  );
}

/** @returns what an answer that is no success says; also when it is not the API that answered */
export function problemOf(response: Response, body: unknown): ProblemError | UnreachableError {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : null;
  if (isProblem(body)) return new ProblemError(body, retryAfterMs);
  if (response.status >= 502 && response.status <= 504) return new UnreachableError(`${response.status}`);
  return new ProblemError(
    { code: 'unknown', status: response.status, detail: `${response.status} ${response.statusText}`.trim() },
    retryAfterMs,
  );
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && typeof body.detail === 'string'
  );
}
