import { PASSWORD_LENGTH } from '@call-analytics/contracts';
import { CircuitOpen, type Failure, WorkError } from '@call-analytics/service-kit';

/** All errors of the APIs by status: the code, which never changes, and its meaning for the documentation. */
const CODES_BY_STATUS = {
  400: {
    malformed_request: 'The request is not valid HTTP.',
    invalid_parameter:
      'A query parameter is unknown or has a value that is not allowed. The detail names the parameter, the value ' +
      'and the rule.',
    invalid_multipart: 'The multipart body is malformed or incomplete.',
    invalid_body:
      'The body is not valid JSON, or a field of it is missing, unknown or has a value that is not allowed. The ' +
      'detail names the field and the rule.',
    missing_file: 'The upload has no file in a part named "file".',
    too_many_files: 'An upload must have exactly one file.',
    invalid_field: 'A form field is unknown, repeated or has a value that is not allowed.',
    invalid_idempotency_key: 'The Idempotency-Key header must have 1 to 255 printable ASCII characters.',
  },
  401: {
    invalid_api_key: 'The API key is missing, malformed, unknown, revoked or expired.',
    not_signed_in:
      'There is no session, or it has ended. This request is for the web application; it does not accept API keys.',
  },
  403: {
    insufficient_scope:
      'The API key may only read. A request that changes something needs a key with the scope "write".',
    cross_site_request: 'A request that changes data with the session cookie must come from a page of this service.',
    wrong_credentials: 'The email or the password is wrong. The answer does not say which.',
    wrong_password: 'The password is wrong.',
    not_allowed: 'Only owners of the account may do this.',
    sign_up_closed: 'New users need an invitation.',
    setup_link_needed: 'The first user of an installation needs the link that the server printed at start.',
    email_not_confirmed: 'This installation confirms emails before a sign-up. Request a link first.',
  },
  404: {
    not_found: 'The address does not exist.',
    call_not_found: 'The call does not exist or belongs to another account.',
    key_not_found: 'The account has no active API key with this id.',
    member_not_found: 'The account has no member with this id.',
    invitation_not_found: 'The account has no pending invitation with this id.',
    invitation_not_valid: 'The invitation is unknown, was used or revoked, or has expired.',
    link_not_valid: 'The link is unknown, has been used or has expired.',
  },
  405: {
    method_not_allowed: 'The address does not support this method. The Allow header lists the methods it supports.',
  },
  408: {
    request_timeout:
      'The request arrived too slowly or stalled. An upload may take any time while it keeps the minimum rate.',
  },
  409: {
    idempotency_conflict:
      'This Idempotency-Key was used for a different recording, file name, report type or other field.',
    revision_conflict:
      'Someone else has changed this since the revision in the request. Read it again, then make the change again.',
    call_not_retryable: 'The call did not fail, or neither a recording with sound nor its transcript is kept.',
    call_not_completed: 'The call has no report yet, or it failed.',
    email_taken: 'A user with this email already exists.',
    too_many_keys: 'An account has at most 100 active API keys.',
    too_many_invitations: 'An account has at most 100 pending invitations.',
    last_owner: 'An account must have at least one owner.',
  },
  413: {
    body_too_large: 'The JSON body exceeds 16 kB, or 2,000 kB for a list that is replaced as a whole.',
    file_too_large: 'The recording exceeds the size limit of this service.',
  },
  415: {
    unsupported_media_type:
      'The Content-Type or the Content-Encoding of the body is not accepted. The detail says what to send.',
    unsupported_format:
      'The file has none of the accepted formats. The content decides, not the file name or the media type.',
  },
  417: { expectation_failed: 'The Expect header has a value other than 100-continue.' },
  422: {
    empty_file: 'The file is empty.',
    unreadable_file: 'The file has a valid header but no audio.',
    engine_not_available: 'This installation does not offer the engine. The detail names those that it offers.',
    invalid_email: 'The email address is not valid.',
    invalid_expiry: 'An expiry date must be in the future.',
    invalid_name: 'A name must have 1 to 200 characters and no line breaks.',
    weak_password:
      `A password must have ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters and must not be easy to ` +
      'guess. The detail says which passwords are refused.',
    account_name_differs: 'To delete an account, type its name exactly.',
  },
  429: {
    too_many_attempts: 'Wait as long as Retry-After says, then try again.',
    too_many_uploads:
      'The account has too many uploads in progress. Wait until one of them ends, then send the same request again.',
    too_many_streams: 'The session, the user or the account has too many event streams open.',
  },
  431: { headers_too_large: 'The header fields of the request exceed 16 KiB.' },
  500: { internal_error: 'An unexpected error occurred in the service. Try again.' },
  503: {
    temporarily_unavailable:
      'The service cannot process the request now. Nothing was stored. Send it again after the time in Retry-After.',
  },
} as const;

type CodesByStatus = typeof CODES_BY_STATUS;
export type ProblemCode = { [Status in keyof CodesByStatus]: keyof CodesByStatus[Status] }[keyof CodesByStatus];

/** Titles that are not the words of the code. */
const TITLES: Partial<Record<ProblemCode, string>> = {
  invalid_multipart: 'Invalid multipart body',
  invalid_field: 'Invalid form field',
  invalid_idempotency_key: 'Invalid Idempotency-Key',
  invalid_api_key: 'Unauthorized',
  cross_site_request: 'Cross-site request',
  wrong_credentials: 'Wrong email or password',
  sign_up_closed: 'Sign-up closed',
  key_not_found: 'API key not found',
  call_not_retryable: 'Call cannot be retried',
  email_taken: 'Email already in use',
  too_many_keys: 'Too many API keys',
  unsupported_format: 'Unsupported audio format',
  invalid_expiry: 'Invalid expiry date',
  weak_password: 'Password not accepted',
  account_name_differs: 'Account name does not match',
  headers_too_large: 'Request header fields too large',
};

export const PROBLEMS = Object.fromEntries(
  Object.entries(CODES_BY_STATUS).flatMap(([status, meanings]) =>
    Object.entries(meanings).map(([code, meaning]) => [
      code,
      { status: Number(status), title: TITLES[code as ProblemCode] ?? words(code), meaning },
    ]),
  ),
) as Readonly<Record<ProblemCode, { status: number; title: string; meaning: string }>>;

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}

/** `call_not_found` becomes "Call not found". */
function words(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

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

/** @param what is replaced as a whole, such as `The vocabulary` */
export function revisionConflict(
  what: string,
  present: number,
  sent: number,
  counter: 'revision' | 'version' = 'revision',
): HttpProblem {
  const detail = `${what} has ${counter} ${present}, not ${sent}. Read it again, then make the change again.`;
  return new HttpProblem('revision_conflict', detail);
}

/** The client closed the connection, so there is no response. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/** Codes of the accounts service that are others here. */
const RENAMED: ReadonlyMap<string, ProblemCode> = new Map([
  ['no_such_member', 'member_not_found'],
  // Deleted during the request.
  ['no_such_account', 'not_signed_in'],
  ['no_such_user', 'not_signed_in'],
]);

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
    'An unexpected error occurred. Try again. If it occurs again, report the requestId to the operator of this ' +
      'service.',
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
  if (failure.kind !== 'rejected') return null;
  const code = RENAMED.get(failure.code) ?? failure.code;
  return isProblemCode(code) ? new HttpProblem(code, failure.message) : null;
}

function isTemporary({ kind }: Failure): boolean {
  return kind !== 'rejected' && kind !== 'bug';
}
