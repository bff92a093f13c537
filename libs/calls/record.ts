import type {
  AnalysisEngine,
  AudioFormat,
  CallStatus,
  Dependency,
  ReportType,
  SaleStatus,
  Stage,
} from '@call-analytics/contracts';
import type { Analysis, Correction } from './analysis.ts';

/**
 * The call record: the only truth about a call. Transcript and analysis are stored beside it, because they are large
 * and rarely needed.
 */
export interface Call {
  id: string;
  accountId: string;
  fileName: string;
  reportType: ReportType;
  status: CallStatus;
  /** The stage it waits for or is in; null once finished. */
  stage: Stage | null;
  /** Counts the writes. Every write names the version it has read, so two writers cannot both succeed. */
  version: number;

  audio: {
    /** Key in the audio store. */
    key: string;
    bytes: number;
    format: AudioFormat;
    /** Estimated from size and format until the recording is decoded. The weight of the call in fair sharing. */
    seconds: number;
    /** How far the recording is transcribed: the latest end of a kept segment. 0 before the first one. */
    secondsDone: number;
    /** When the recording may be deleted; null while it is needed. */
    deleteAfter: Date | null;
    /** When the audio store confirmed that it is deleted. */
    deletedAt: Date | null;
  };

  /** The fencing token: counts the claims of this call. The writes of a worker count while its attempt is this one. */
  attempt: number;
  /** Counted failures of the current stage. Failures of a dependency do not count. */
  failures: number;
  lease: Lease | null;
  /** A granted call that is not claimed by then is granted again. */
  grantedUntil: Date | null;
  /** Not before this. */
  nextAttemptAt: Date | null;
  /** Since when the call has been waiting for its present stage. */
  readySince: Date;
  /** Set while the call waits for a dependency that does not work; no failures are counted meanwhile. */
  waiting: { for: Dependency; since: Date } | null;
  /** How often the call was retried after it had failed. */
  retries: number;
  /** Why the last attempt failed, for operators. */
  lastFailure: { kind: string; code: string; message: string; at: Date } | null;
  /** Set on a failed call; its owner reads `message`. */
  failure: { code: string; message: string } | null;

  /** Set on a call that its owner has deleted. Readers and the dispatcher no longer see it. */
  removal: Removal | null;

  /** Until the call is transcribed, the language that its upload named (ISO 639). */
  language: string | null;
  product: string | null;
  saleStatus: SaleStatus | null;
  score: number | null;
  /** The engine that the present analysis was asked of; null for that of the installation. */
  analysisEngine: AnalysisEngine | null;
  /** The analyses that were replaced, oldest first; the latest MAX_EARLIER_ANALYSES of them. */
  earlierAnalyses: readonly EarlierAnalysis[];
  /** What people say of single answers. `product` and `saleStatus` are theirs. */
  corrections: readonly Correction[];
  /** W3C trace context of the upload (https://www.w3.org/TR/trace-context/); all spans of the call belong to it. */
  traceparent: string | null;
  createdAt: Date;
  /** The last change that a reader of the API can see. */
  updatedAt: Date;
}

/** What is kept of an analysis that was replaced. */
export interface EarlierAnalysis extends Pick<Analysis, 'engine' | 'product' | 'saleStatus' | 'score'> {
  /** When it was made, ISO 8601. */
  at: string;
  reportType: ReportType;
  /** The version of the scorecard that judged the call; missing in older analyses. */
  scorecard?: number;
  /** The request that replaced it, if that had an idempotency key. */
  request?: Idempotency;
}

export interface Idempotency {
  key: string;
  /** A hash of everything the request asked for. */
  fingerprint: string;
}

export interface Removal {
  at: Date;
  /** Until then it may be restored. */
  until: Date;
  /** The stage to go back to when it is restored; null for a finished call. */
  stage: Stage | null;
  /** It can no longer be restored, whatever a clock says. */
  final: boolean;
}

interface Lease {
  worker: string;
  since: Date;
  until: Date;
}

export interface NewCall {
  accountId: string;
  fileName: string;
  reportType: ReportType;
  audio: { key: string; bytes: number; format: AudioFormat; seconds: number };
  /** ISO 639; null when the upload named none. */
  language?: string | null;
  /** Names and words to expect. */
  vocabulary?: readonly string[];
  traceparent?: string | null;
}

/** @returns the record of a call that was just uploaded */
export function newRecord(
  id: string,
  { traceparent = null, language = null, audio, ...upload }: NewCall,
  now: Date,
): Call {
  return {
    id,
    accountId: upload.accountId,
    fileName: upload.fileName,
    reportType: upload.reportType,
    status: 'queued',
    stage: 'transcription',
    version: 1,
    audio: { ...audio, secondsDone: 0, deleteAfter: null, deletedAt: null },
    attempt: 0,
    failures: 0,
    lease: null,
    grantedUntil: null,
    nextAttemptAt: null,
    readySince: now,
    waiting: null,
    retries: 0,
    lastFailure: null,
    failure: null,
    removal: null,
    language,
    product: null,
    saleStatus: null,
    score: null,
    analysisEngine: null,
    earlierAnalyses: [],
    corrections: [],
    traceparent,
    createdAt: now,
    updatedAt: now,
  };
}

/** What a worker holds while it works on a stage. Each of its writes names it. */
export interface HeldLease {
  callId: string;
  stage: Stage;
  attempt: number;
}
