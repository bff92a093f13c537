import { type Failure, WorkError } from '@call-analytics/service-kit';
import { DECODER_EXIT } from './exits.ts';

const CONVERT = 'Check that it plays, convert it to MP3 or WAV, and upload it again.';

function rejected(code: string, message: string): Failure {
  return { kind: 'rejected', code, message };
}

const UNREADABLE = rejected(
  'audio_unreadable',
  `The recording could not be read: it is damaged, cut off, or not one of the accepted formats. ${CONVERT}`,
);
const NO_AUDIO = rejected('audio_empty', 'The file holds no sound. Check that it is the recording you meant, and upload it again.');
const TOO_DEMANDING = rejected(
  'audio_too_demanding',
  `Reading the recording took more time or memory than a recording may need. ${CONVERT}`,
);
/** Counted, not final: a machine out of memory kills decoders as well. */
const CRASHED: Failure = { kind: 'transient', code: 'decoder_crashed', message: `Reading the recording failed in the middle. ${CONVERT}` };
const NOT_STARTED: Failure = { kind: 'transient', code: 'decoder_not_started', message: 'The decoder could not be started.' };

/** What the decoding process' end means. @param stderr goes to the log as the cause, never to the caller */
export function failureOfExit(code: number | null, signal: NodeJS.Signals | null, stderr: string): WorkError {
  const cause = new Error(`decoder ended with ${signal ?? code}: ${stderr.slice(-2_000)}`);
  switch (code) {
    case DECODER_EXIT.unreadable:
      return new WorkError(UNREADABLE, { cause });
    case DECODER_EXIT.noAudio:
      return new WorkError(NO_AUDIO, { cause });
    case DECODER_EXIT.outOfMemory:
      return new WorkError(TOO_DEMANDING, { cause });
    default:
      return new WorkError(CRASHED, { cause });
  }
}

export function tooDemanding(limit: 'time' | 'memory'): WorkError {
  return new WorkError(TOO_DEMANDING, { cause: new Error(`the decoder went over its limit of ${limit}`) });
}

export function notStarted(cause: unknown): WorkError {
  return new WorkError(NOT_STARTED, { cause });
}

/** @param maxSeconds the longest recording that is accepted */
export function tooLong(maxSeconds: number): WorkError {
  const hours = Math.round((maxSeconds / 3600) * 10) / 10;
  return new WorkError(rejected('audio_too_long', `The recording is longer than ${hours} hours. Split it and upload the parts.`));
}

export function noAudio(): WorkError {
  return new WorkError(NO_AUDIO);
}
