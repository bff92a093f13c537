import { type Failure, WorkError } from '@call-analytics/service-kit';

/** Every error the gateway answers with. The codes are part of the API: they stay. `meaning` is for the documentation. */
export const PROBLEMS = {
  malformed_request: { status: 400, title: 'Malformed request', meaning: 'The request is not valid HTTP.' },
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    meaning: 'A query parameter is unknown or has a value that is not allowed. The detail names the parameter, the value and the rule.',
  },
  invalid_multipart: {
    status: 400,
    title: 'Invalid multipart body',
    meaning: 'The body is not multipart/form-data, or it is broken or ends too early.',
  },
  missing_file: { status: 400, title: 'No file', meaning: 'The upload has no part named "file" that carries a file.' },
  too_many_files: { status: 400, title: 'More than one file', meaning: 'An upload carries exactly one file.' },
  invalid_field: {
    status: 400,
    title: 'Invalid form field',
    meaning: 'A form field is unknown, is there twice or has a value that is not allowed.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    meaning: 'The Idempotency-Key header must have 1 to 255 printable ASCII characters.',
  },
  invalid_api_key: { status: 401, title: 'Unauthorized', meaning: 'The API key is missing, malformed, unknown or revoked.' },
  not_found: { status: 404, title: 'Not found', meaning: 'There is nothing at this address.' },
  call_not_found: { status: 404, title: 'Call not found', meaning: 'There is no such call among the calls of this account.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address exists, but not for this method. The Allow header lists those it takes.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request stood still for too long. An upload that is slow is fine; one in which nothing moves is given up.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency conflict',
    meaning: 'This Idempotency-Key was used before, with another recording, file name or report type.',
  },
  file_too_large: { status: 413, title: 'File too large', meaning: 'The recording is larger than this service accepts.' },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The Expect header asks for something other than 100-continue.',
  },
  unsupported_format: {
    status: 415,
    title: 'Not an accepted audio format',
    meaning: 'The content of the file is none of the accepted formats. Its name and its media type do not matter.',
  },
  empty_file: { status: 422, title: 'Empty file', meaning: 'The file has no bytes.' },
  unreadable_file: { status: 422, title: 'Unreadable file', meaning: 'The file begins like a recording, but there is no sound in it.' },
  headers_too_large: { status: 431, title: 'Request header fields too large', meaning: 'The header fields of the request are too large.' },
  internal_error: { status: 500, title: 'Internal error', meaning: 'Something went wrong on our side. Try again; nothing was half done.' },
  temporarily_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    meaning: 'The service cannot do this now. Nothing was kept; send the same request again after the time in Retry-After.',
  },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** How long a client should wait when something is temporarily unavailable. */
export const RETRY_AFTER_SECONDS = 5;

/** An error that is the answer to a request. */
export class HttpProblem extends Error {
  override name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail what is wrong and what to do, for people: no paths, no internals */
  constructor(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** What passes is 503; what nobody expected is 500, and says nothing of itself. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof WorkError && mayPass(error.failure)) {
    const retry = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
    return new HttpProblem(
      'temporarily_unavailable',
      `The service cannot do this now. Nothing was kept: send the request again in ${RETRY_AFTER_SECONDS} seconds.`,
      retry,
    );
  }
  return new HttpProblem(
    'internal_error',
    'Something went wrong on our side. Try again; if it stays, report the requestId to the operator of this service.',
  );
}

function mayPass({ kind }: Failure): boolean {
  return kind === 'transient' || kind === 'rate-limited' || kind === 'out-of-quota';
}
