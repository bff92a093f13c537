/**
 * What can go wrong while working on a call: a closed set. Each vendor has one classifier that turns its errors into
 * these; what to do about each kind is decided in one place (libs/calls, `workOnStage`).
 *
 * transient       this try failed and another may succeed: try again later, counted
 * unavailable     a dependency that every call needs is away: wait until it is back, not counted
 * unanswered      a request got no usable answer, because of the dependency or because of this call: counted only
 *                 while the dependency answers other requests (docs/decisions/0018)
 * rate-limited    the vendor says when: try again then, not counted
 * out-of-quota    the vendor account is empty or its key refused: pause, tell the operator, not counted
 * rejected        the caller's file cannot be worked on: no retry, the message goes to the caller
 * bug             ours: counted like a transient, logged as an error
 */
export type Failure =
  | { kind: 'transient'; code: string; message: string }
  | { kind: 'unavailable'; code: string; message: string; until?: Date }
  | { kind: 'unanswered'; code: string; message: string }
  | { kind: 'rate-limited'; code: string; message: string; until: Date }
  | { kind: 'out-of-quota'; code: string; message: string }
  | { kind: 'rejected'; code: string; message: string }
  | { kind: 'bug'; code: string; message: string };

/**
 * Thrown by engines and stores. `failure.message` is for people: it says what happened and what to do, without paths,
 * secrets or transcript text.
 */
export class WorkError extends Error {
  override name = 'WorkError';
  readonly failure: Failure;
  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(failure.message, options);
    this.failure = failure;
  }
}

/** Any error as a failure. An unclassified one is a bug of ours. */
export function failureOf(error: unknown): Failure {
  if (error instanceof WorkError) return error.failure;
  return { kind: 'bug', code: 'internal_error', message: 'Something went wrong on our side.' };
}
