import { type Failure, WorkError } from '@call-analytics/service-kit';
import { WHISPER_EXIT } from './whisper-exits.ts';

const failure = (code: string, message: string): Failure => ({ kind: 'unanswered', code, message });

const CRASHED = failure('engine_crashed', 'The speech engine on this machine crashed while it transcribed the call.');
const MODEL_UNREADABLE: Failure = {
  kind: 'unavailable',
  code: 'engine_model_unreadable',
  message:
    'The speech model on this machine could not be loaded. Contact the operator of the service, who can download it again.',
};
const TOO_SLOW = failure(
  'engine_too_slow',
  'The speech engine on this machine took too long. Contact the operator of the service, who can choose a smaller model.',
);
const OUT_OF_MEMORY = failure(
  'engine_out_of_memory',
  'The speech engine on this machine ran out of memory. Contact the operator of the service, who can choose a smaller model.',
);
const STOPPED: Failure = { kind: 'unavailable', code: 'engine_stopped', message: 'The speech engine was stopped.' };

/** What the end of the whisper process means. @param stderr goes to the log as the cause, never to the caller */
export function failureOfExit(code: number | null, signal: NodeJS.Signals | null, stderr: string): WorkError {
  const cause = new Error(`whisper ended with ${signal ?? code}: ${stderr}`);
  return new WorkError(code === WHISPER_EXIT.model ? MODEL_UNREADABLE : CRASHED, { cause });
}

export function notStarted(cause: unknown): WorkError {
  return new WorkError(CRASHED, { cause });
}

export function tooSlow(): WorkError {
  return new WorkError(TOO_SLOW);
}

export function outOfMemory(): WorkError {
  return new WorkError(OUT_OF_MEMORY);
}

export function stopped(): WorkError {
  return new WorkError(STOPPED);
}
