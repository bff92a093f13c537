import { WorkError } from '@call-analytics/service-kit';
import { AnswerError, WrongBytesError } from './download.ts';
import type { WhisperModel } from './models.ts';

type Code = 'model_host_unreachable' | 'model_not_found' | 'model_damaged' | 'disk_full' | 'models_dir_unusable';

/** What kept a model from being fetched, in words for the person who asked for it. */
export function fetchFailure(error: unknown, model: WhisperModel): WorkError {
  return error instanceof WorkError ? error : failure(codeOf(error), model, error);
}

export function noRoomFor(model: WhisperModel): WorkError {
  return failure('disk_full', model, new Error('less room than the rest of it needs'));
}

/** Whether what has come so far had better go: it is not the model, or it has filled a disk that others need. */
export function isUseless(error: unknown): boolean {
  return !(error instanceof WorkError) && ['model_damaged', 'disk_full'].includes(codeOf(error));
}

function failure(code: Code, model: WhisperModel, cause: unknown): WorkError {
  return new WorkError({ kind: 'transient', code, message: message(code, model) }, { cause });
}

function codeOf(error: unknown): Code {
  if (error instanceof WrongBytesError) return 'model_damaged';
  if (error instanceof AnswerError)
    return [401, 403, 404, 410].includes(error.status) ? 'model_not_found' : 'model_host_unreachable';
  const system =
    typeof error === 'object' && error !== null && 'code' in error && 'syscall' in error ? error.code : null;
  if (system === 'ENOSPC' || system === 'EDQUOT') return 'disk_full';
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG'].includes(String(system)))
    return 'models_dir_unusable';
  return 'model_host_unreachable';
}

function message(code: Code, { name, bytes }: WhisperModel): string {
  const size = `${Math.ceil(bytes / 1e6)} MB`;
  switch (code) {
    case 'model_host_unreachable':
      return `The whisper model "${name}" could not be fetched: its host could not be reached, or the connection was cut. Check the network and try again; what has come is kept.`;
    case 'model_not_found':
      return `The whisper model "${name}" could not be fetched: its host does not give it out.`;
    case 'model_damaged':
      return `The whisper model "${name}" arrived damaged: it is not the published file. It was deleted; try again.`;
    case 'disk_full':
      return `There is no room on the disk for the whisper model "${name}" of ${size}. Free some and try again.`;
    case 'models_dir_unusable':
      return `The folder for whisper models (WHISPER_MODELS_DIR) cannot be written to. Check that it is a folder and that this user may write in it.`;
  }
}
