import { CircuitOpen, type Failure, WorkError } from '@call-analytics/service-kit';

/** All errors of the APIs. The codes never change. `meaning` is for the documentation. */
export const PROBLEMS = {
  malformed_request: { status: 400, title: 'Malformed request', meaning: 'The request is not valid HTTP.' },
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    meaning:
      'A query parameter is unknown or has a value that is not allowed. The detail names the parameter, the value and the rule.',
  },
  invalid_multipart: {
    status: 400,
    title: 'Invalid multipart body',
    meaning: 'The multipart body is malformed or incomplete.',
  },
  invalid_body: {
    status: 400,
    title: 'Invalid body',
    meaning:
      'The body is not valid JSON, or a field of it is missing, unknown or has a value that is not allowed. The detail names the field and the rule.',
  },
  missing_file: { status: 400, title: 'Missing file', meaning: 'The upload has no file in a part named "file".' },
  too_many_files: { status: 400, title: 'Too many files', meaning: 'An upload must have exactly one file.' },
  invalid_field: {
    status: 400,
    title: 'Invalid form field',
    meaning: 'A form field is unknown, repeated or has a value that is not allowed.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    meaning: 'The Idempotency-Key header must have 1 to 255 printable ASCII characters.',
  },
  invalid_api_key: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The API key is missing, malformed, unknown, revoked or expired.',
  },
  not_signed_in: {
    status: 401,
    title: 'Not signed in',
    meaning:
      'There is no session, or it has ended. This request is for the web application; it does not accept API keys.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    meaning:
      'The API key may only read. Uploading, deleting, restoring and retrying need a key with the scope "write".',
  },
  cross_site_request: {
    status: 403,
    title: 'Cross-site request',
    meaning: 'A request that changes data with the session cookie must come from a page of this service.',
  },
  wrong_credentials: {
    status: 403,
    title: 'Wrong email or password',
    meaning: 'The email or the password is wrong. The answer does not say which.',
  },
  not_allowed: { status: 403, title: 'Not allowed', meaning: 'Only owners of the account may do this.' },
  sign_up_closed: { status: 403, title: 'Sign-up closed', meaning: 'New users need an invitation.' },
  setup_link_needed: {
    status: 403,
    title: 'Setup link needed',
    meaning: 'The first user of an installation needs the link that the server printed at start.',
  },
  email_not_confirmed: {
    status: 403,
    title: 'Email not confirmed',
    meaning: 'This installation confirms emails before a sign-up. Request a link first.',
  },
  not_found: { status: 404, title: 'Not found', meaning: 'The address does not exist.' },
  call_not_found: {
    status: 404,
    title: 'Call not found',
    meaning: 'The call does not exist or belongs to another account.',
  },
  key_not_found: {
    status: 404,
    title: 'API key not found',
    meaning: 'The account has no active API key with this id.',
  },
  member_not_found: { status: 404, title: 'Member not found', meaning: 'The account has no member with this id.' },
  invitation_not_found: {
    status: 404,
    title: 'Invitation not found',
    meaning: 'The account has no open invitation with this id.',
  },
  invitation_not_valid: {
    status: 404,
    title: 'Invitation not valid',
    meaning: 'The invitation is unknown, has been used or has expired.',
  },
  link_not_valid: {
    status: 404,
    title: 'Link not valid',
    meaning: 'The link is unknown, has been used or has expired.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address does not support this method. The Allow header lists the methods it supports.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request arrived too slowly or stalled. An upload may take any time while it keeps the minimum rate.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency conflict',
    meaning: 'This Idempotency-Key was used for a different recording, file name or report type.',
  },
  call_not_retryable: {
    status: 409,
    title: 'Call cannot be retried',
    meaning: 'The call did not fail, or neither its recording nor its transcript is kept.',
  },
  call_not_completed: {
    status: 409,
    title: 'Call not completed',
    meaning: 'The call has no report yet, or it failed.',
  },
  email_taken: { status: 409, title: 'Email already in use', meaning: 'A user with this email already exists.' },
  too_many_keys: { status: 409, title: 'Too many API keys', meaning: 'An account has at most 100 active API keys.' },
  too_many_invitations: {
    status: 409,
    title: 'Too many invitations',
    meaning: 'An account has at most 100 open invitations.',
  },
  last_owner: { status: 409, title: 'Last owner', meaning: 'An account must have at least one owner.' },
  body_too_large: { status: 413, title: 'Body too large', meaning: 'The JSON body exceeds 16 kB.' },
  file_too_large: {
    status: 413,
    title: 'File too large',
    meaning: 'The recording exceeds the size limit of this service.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The Expect header has a value other than 100-continue.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The Content-Type or the Content-Encoding of the body is not accepted. The detail says what to send.',
  },
  unsupported_format: {
    status: 415,
    title: 'Unsupported audio format',
    meaning: 'The file has none of the accepted formats. The content decides, not the file name or the media type.',
  },
  empty_file: { status: 422, title: 'Empty file', meaning: 'The file is empty.' },
  unreadable_file: { status: 422, title: 'Unreadable file', meaning: 'The file has a valid header but no audio.' },
  invalid_email: { status: 422, title: 'Invalid email', meaning: 'The email address is not valid.' },
  invalid_expiry: { status: 422, title: 'Invalid expiry date', meaning: 'An expiry date must be in the future.' },
  invalid_name: {
    status: 422,
    title: 'Invalid name',
    meaning: 'A name must have 1 to 200 characters and no line breaks.',
  },
  weak_password: {
    status: 422,
    title: 'Password not taken',
    meaning:
      'A password must have 10 to 128 characters, must not be a common one, and must not be the email or a name of its user or account.',
  },
  account_name_differs: {
    status: 422,
    title: 'Account name does not match',
    meaning: 'To delete an account, type its name exactly.',
  },
  too_many_attempts: {
    status: 429,
    title: 'Too many attempts',
    meaning: 'Wait as long as Retry-After says, then try again.',
  },
  too_many_uploads: {
    status: 429,
    title: 'Too many uploads',
    meaning:
      'The account has too many uploads in progress. Wait until one of them ends, then send the same request again.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many streams',
    meaning: 'The session, the user or the account has too many event streams open.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request header fields too large',
    meaning: 'The header fields of the request exceed 16 KiB.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'An unexpected error occurred in the service. Try again.',
  },
  temporarily_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    meaning:
      'The service cannot process the request now. Nothing was stored. Send it again after the time in Retry-After.',
  },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** The default of `Retry-After`. */
export const RETRY_AFTER_SECONDS = 5;

/** An error with its HTTP response. */
export class HttpProblem extends Error {
  override name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail what is wrong and what to do, for people, without internals */
  constructor(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** The client closed the connection, so there is no response. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/** Codes of the accounts service, with the code of the response. */
const REFUSALS: Readonly<Record<string, ProblemCode>> = {
  sign_up_closed: 'sign_up_closed',
  setup_link_needed: 'setup_link_needed',
  email_not_confirmed: 'email_not_confirmed',
  invitation_not_valid: 'invitation_not_valid',
  email_taken: 'email_taken',
  invalid_email: 'invalid_email',
  invalid_name: 'invalid_name',
  invalid_expiry: 'invalid_expiry',
  too_many_keys: 'too_many_keys',
  too_many_invitations: 'too_many_invitations',
  weak_password: 'weak_password',
  wrong_credentials: 'wrong_credentials',
  link_not_valid: 'link_not_valid',
  not_allowed: 'not_allowed',
  last_owner: 'last_owner',
  no_such_member: 'member_not_found',
  // Deleted during the request.
  no_such_account: 'not_signed_in',
  no_such_user: 'not_signed_in',
};

/** Refusals of accounts keep their message, temporary failures become 503, and all others 500 without details. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  const refusal = error instanceof WorkError ? refusalOf(error.failure) : null;
  if (refusal !== null) return refusal;
  if (error instanceof WorkError && isTemporary(error.failure)) {
    const seconds = secondsUntilRetry(error);
    return new HttpProblem(
      'temporarily_unavailable',
      `The service is temporarily unavailable. Nothing was stored. Send the request again in ${seconds} seconds.`,
      { 'Retry-After': String(seconds) },
    );
  }
  return new HttpProblem(
    'internal_error',
    'An unexpected error occurred. Try again. If it occurs again, report the requestId to the operator of this service.',
  );
}

/** Until the time that the dependency named, or until its circuit breaker closes. */
function secondsUntilRetry(error: WorkError): number {
  const { failure } = error;
  const until =
    error instanceof CircuitOpen
      ? error.retryAt
      : failure.kind === 'rate-limited' || failure.kind === 'unavailable'
        ? failure.until
        : undefined;
  return until === undefined ? RETRY_AFTER_SECONDS : Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000));
}

function refusalOf(failure: Failure): HttpProblem | null {
  if (failure.kind === 'rate-limited' && failure.code === 'too_many_attempts') {
    const seconds = Math.max(1, Math.ceil((failure.until.getTime() - Date.now()) / 1000));
    return new HttpProblem('too_many_attempts', failure.message, { 'Retry-After': String(seconds) });
  }
  const code =
    failure.kind === 'rejected' && Object.hasOwn(REFUSALS, failure.code) ? REFUSALS[failure.code] : undefined;
  return code === undefined ? null : new HttpProblem(code, failure.message);
}

function isTemporary({ kind }: Failure): boolean {
  return kind !== 'rejected' && kind !== 'bug';
}
