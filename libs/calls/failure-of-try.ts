import { backoffMs, CircuitOpen, type Failure, failureOf } from '@call-analytics/service-kit';

/** What an installation stands on, the disk of the worker's machine included. */
const FOUNDATIONS = new Set([
  'store_unavailable',
  'store_full',
  'audio_store_unavailable',
  'audio_store_full',
  'broker_unavailable',
  'work_dir_full',
  'work_dir_unusable',
  'decoder_not_started',
]);

/**
 * What a try that failed says of its call. Nothing, when it failed because something did not answer that every call needs: that is not counted against the call, however
 * long it lasts, and the worker takes nothing until it may be over.
 */
export function failureOfTry(error: unknown, now: Date): Failure {
  const failure = failureOf(error);
  const { code, message } = failure;
  if (error instanceof CircuitOpen) return { kind: 'rate-limited', code, message, until: error.retryAt };
  if (failure.kind !== 'transient' || !FOUNDATIONS.has(code)) return failure;
  return { kind: 'rate-limited', code, message, until: new Date(now.getTime() + backoffMs(1)) };
}
