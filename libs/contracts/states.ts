/** A call's public state, as GET /calls/:id shows it. `completed` and `failed` are final. */
export const CALL_STATUSES = ['queued', 'transcribing', 'analyzing', 'completed', 'failed'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const REPORT_TYPES = ['high_level', 'medium', 'detailed'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const SALE_STATUSES = ['sold', 'not_sold', 'follow_up', 'unclear'] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

/** The work a call may be waiting for. A finished call waits for none. */
export const STAGES = ['transcription', 'analysis'] as const;
export type Stage = (typeof STAGES)[number];

/** Every change of status that may ever happen; anything else is a bug. */
export const TRANSITIONS: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  queued: ['transcribing', 'failed'],
  transcribing: ['analyzing', 'failed'],
  analyzing: ['completed', 'failed'],
  completed: [],
  failed: [],
};

/** The accepted recordings, decided by content, never by name. */
export const AUDIO_FORMATS = ['mp3', 'wav', 'm4a', 'ogg', 'flac', 'aac', 'wma'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];
