/** A call's public state, as GET /calls/:id shows it. `completed` is final; a failed call may be retried. */
export const CALL_STATUSES = ['queued', 'transcribing', 'analyzing', 'completed', 'failed'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const REPORT_TYPES = ['high_level', 'medium', 'detailed'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const SALE_STATUSES = ['sold', 'not_sold', 'follow_up', 'unclear'] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

/** What kind of conversation a recording holds. Only `sales` is scored. */
export const CALL_KINDS = ['sales', 'service', 'other', 'voicemail', 'wrong_number', 'no_conversation'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** Why a call has no score. `not_analyzed`: it is not completed yet, or it failed. */
export const NOT_SCORED_CODES = [
  'not_analyzed',
  'no_speech',
  'too_short',
  'not_a_sales_call',
  'language_not_supported',
  'roles_unclear',
] as const;
export type NotScoredCode = (typeof NOT_SCORED_CODES)[number];

/** The work a call may be waiting for. A finished call waits for none. */
export const STAGES = ['transcription', 'analysis'] as const;
export type Stage = (typeof STAGES)[number];

/** What a call may wait for that is not its turn: a dependency that does not work at present. */
export const DEPENDENCIES = ['speech_engine', 'analysis_engine', 'storage', 'decoder'] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

/** Every change of status that may ever happen; anything else is a bug. */
export const TRANSITIONS: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  queued: ['transcribing', 'analyzing', 'failed'],
  transcribing: ['analyzing', 'failed'],
  analyzing: ['completed', 'failed'],
  completed: [],
  failed: ['queued'],
};

/** The accepted recordings, decided by content, never by name. */
export const AUDIO_FORMATS = ['mp3', 'wav', 'm4a', 'ogg', 'flac', 'aac', 'wma'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

/** What an API key may do: `write` includes `read`. */
export const KEY_SCOPES = ['read', 'write'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
