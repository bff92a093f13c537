import { type Failure, WorkError } from '@call-analytics/service-kit';
import { DECODER_EXIT } from '../sandbox/lock-down.ts';

const CONVERT = 'Check that it plays, convert it to MP3 or WAV, and upload it again.';

function rejected(code: string, message: string): Failure {
  return { kind: 'rejected', code, message };
}

const UNREADABLE = rejected(
  'audio_unreadable',
  `The recording could not be read. It is damaged, incomplete, or not in an accepted format. ${CONVERT}`,
);
const NO_AUDIO = rejected(
  'audio_empty',
  'The file contains no audio. Check that it is the right recording and upload it again.',
);
const TOO_DEMANDING = rejected(
  'audio_too_demanding',
  `Decoding the recording exceeded the limit on time or memory for a file of its size. ${CONVERT}`,
);
/** Counted as an attempt, because a machine without memory also kills decoders. */
const CRASHED: Failure = {
  kind: 'transient',
  code: 'decoder_crashed',
  message: `Decoding the recording failed. ${CONVERT}`,
};
const NOT_STARTED: Failure = {
  kind: 'transient',
  code: 'decoder_not_started',
  message: 'The decoder could not be started.',
};
/** The cause names the setting for the log; the message is for the owner of the call. */
const NOT_ISOLATED: Failure = {
  kind: 'transient',
  code: 'decoder_not_isolated',
  message:
    'The recording was not decoded because this installation cannot isolate the decoder. ' +
    'Contact the operator of the service.',
};

/** Classifies the exit of the decoder. @param stderr goes to the log as the cause, never to the caller */
export function failureOfExit(code: number | null, signal: NodeJS.Signals | null, stderr: string): WorkError {
  const cause = new Error(`decoder ended with ${signal ?? code}: ${stderr.slice(-2_000)}`);
  switch (code) {
    case DECODER_EXIT.unreadable:
      return new WorkError(UNREADABLE, { cause });
    case DECODER_EXIT.noAudio:
      return new WorkError(NO_AUDIO, { cause });
    case DECODER_EXIT.outOfMemory:
      return new WorkError(TOO_DEMANDING, { cause });
    case DECODER_EXIT.notIsolated:
      return new WorkError(NOT_ISOLATED, {
        cause: new Error('DECODER_ISOLATION is "required", and the kernel or the container refuses seccomp'),
      });
    default:
      return new WorkError(CRASHED, { cause });
  }
}

/** @param limit the exceeded one; `work` is the number of samples for a file of its size */
export function tooDemanding(limit: 'time' | 'memory' | 'work'): WorkError {
  return new WorkError(TOO_DEMANDING, { cause: new Error(`the decoder exceeded its limit on ${limit}`) });
}

export function notStarted(cause: unknown): WorkError {
  return new WorkError(NOT_STARTED, { cause });
}

/** @param maxSeconds the longest recording that is accepted */
export function tooLong(maxSeconds: number): WorkError {
  const hours = Math.round((maxSeconds / 3600) * 10) / 10;
  return new WorkError(
    rejected('audio_too_long', `The recording is longer than ${hours} hours. Split it and upload the parts.`),
  );
}

/** @param problem what is wrong with its channels or sample rate, and what to do */
export function unacceptableSound(problem: string): WorkError {
  return new WorkError(rejected('audio_unsupported_sound', problem));
}

/** @param codec FFmpeg's name for it */
export function unknownCodec(codec: string): WorkError {
  const message = `The recording uses the codec "${codec}", which is not supported.`;
  return new WorkError(rejected('audio_unsupported_codec', `${message} Convert it to MP3 or WAV and upload it again.`));
}

export function noAudio(): WorkError {
  return new WorkError(NO_AUDIO);
}
