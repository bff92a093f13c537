import { WorkError } from '@call-analytics/service-kit';

/** @param cause for the operators' log; never shown to callers */
export function storeUnavailable(cause: unknown): WorkError {
  const message = 'Recordings cannot be stored or read at the moment. Try again later.';
  return new WorkError({ kind: 'transient', code: 'audio_store_unavailable', message }, { cause });
}

/** @param cause for the operators' log; never shown to callers */
export function storeFull(cause: unknown): WorkError {
  const message = 'There is no room for recordings at the moment. Try again later.';
  return new WorkError({ kind: 'transient', code: 'audio_store_full', message }, { cause });
}

export function audioMissing(): WorkError {
  return new WorkError({
    kind: 'rejected',
    code: 'audio_missing',
    message: 'The recording is not there any more. Upload it again.',
  });
}

/** A key is given once; who stores under it again has made a mistake. */
export function audioExists(): WorkError {
  return new WorkError({ kind: 'bug', code: 'audio_exists', message: 'Something went wrong on our side.' });
}
