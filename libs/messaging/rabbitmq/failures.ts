import { WorkError } from '@call-analytics/service-kit';

/** What callers of this adapter get for whatever the broker, or the way to it, did. */
export function unavailableBecause(error: unknown): WorkError {
  return error instanceof WorkError ? error : unavailable(reasonOf(error), error);
}

export function unavailable(why: string, cause?: unknown): WorkError {
  return new WorkError(
    { kind: 'transient', code: 'broker_unavailable', message: `The broker is not available: ${why}.` },
    cause === undefined ? {} : { cause },
  );
}

/** An error in a few words. Of a host with several addresses Node joins the errors and leaves the message empty. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as { code?: string }).code || error.name;
}
