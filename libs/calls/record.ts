import type {
  AudioFormat,
  CallKind,
  CallStatus,
  Dependency,
  NotScoredCode,
  ReportType,
  SaleStatus,
  Stage,
} from '@call-analytics/contracts';

/** The call record: the only truth about a call. Transcript and analysis are kept beside it, because they are large and rarely needed. */
export interface Call {
  id: string;
  accountId: string;
  fileName: string;
  reportType: ReportType;
  status: CallStatus;
  /** The work it waits for or is in; null once finished. */
  stage: Stage | null;
  /** Counts the writes to this record; every write names the version it has seen, so that two writers cannot both win. */
  version: number;

  audio: {
    /** Key in the audio store. */
    key: string;
    bytes: number;
    format: AudioFormat;
    /** An estimate from size and format until decoding tells; the weight of the call in the fair sharing of work. */
    seconds: number;
    /** When the recording may go; null while it is needed. */
    deleteAfter: Date | null;
    /** When the audio store said that it is gone. */
    deletedAt: Date | null;
  };

  /** The fencing token: counts the claims of this call. A worker's writes count only while its attempt is still this one. */
  attempt: number;
  /** Counted failures of the present stage. What a dependency is to blame for does not count. */
  failures: number;
  lease: Lease | null;
  /** Until then a granted call is expected to be claimed; afterwards it is granted again. */
  grantedUntil: Date | null;
  /** Not before this. */
  nextAttemptAt: Date | null;
  /** Since when the call has been waiting for its present stage. */
  readySince: Date;
  /** Set while the call waits for a dependency that does not work. Nothing is counted meanwhile. */
  waiting: { for: Dependency; since: Date } | null;
  /** How often the call was retried after it had failed. */
  retries: number;
  /** Why the last try did not succeed, for operators. */
  lastFailure: { kind: string; code: string; message: string; at: Date } | null;
  /** Set on a failed call: `message` is what its owner reads. */
  failure: { code: string; message: string } | null;

  /** Set on a call that its owner has deleted: no reader sees it any more, and it waits for nothing but its restoration or its end. */
  removal: Removal | null;

  language: string | null;
  product: string | null;
  saleStatus: SaleStatus | null;
  score: number | null;
  /** W3C trace context of the upload (https://www.w3.org/TR/trace-context/), which everything that happens to the call belongs to. */
  traceparent: string | null;
  createdAt: Date;
  /** The last change that a reader of the API can see. */
  updatedAt: Date;
}

export interface Removal {
  at: Date;
  /** Until then it may be restored. */
  until: Date;
  /** What it waited for or was in, to go back to; null of a finished call. */
  stage: Stage | null;
  /** Its end has begun: whatever a clock says, it is not restored any more. */
  final: boolean;
}

export interface Lease {
  worker: string;
  since: Date;
  until: Date;
}

/** What a worker holds while it works on a stage; every write of it names it. */
export interface HeldLease {
  callId: string;
  stage: Stage;
  attempt: number;
}

/** The result for one piece of the recording, kept as soon as it is there. `key` names the piece and how it was transcribed, so that a later try recognises it. */
export interface Segment {
  key: string;
  /** 0-based; null when the piece holds all channels mixed. */
  channel: number | null;
  startMs: number;
  endMs: number;
  utterances: Utterance[];
  language: string | null;
}

export interface Utterance {
  /** Who speaks: 0-based, the same person throughout the call; null when speakers could not be told apart. */
  speaker: number | null;
  startMs: number;
  endMs: number;
  text: string;
}

export interface Transcript {
  /** BCP 47, null when the engine does not say. */
  language: string | null;
  /** In order of time. Empty when there was no speech. */
  utterances: Utterance[];
  /** How speakers were told apart: by channel (exact), by the engine, or not at all. */
  speakersBy: 'channels' | 'engine' | 'nothing';
  engine: { name: string; model: string };
  audio: {
    seconds: number;
    channels: number;
    /** Seconds that were given to the engine. */
    coveredSeconds: number;
    /** Seconds with speech, per speaker (one entry when speakers are not told apart). */
    speechSeconds: number[];
    /** Seconds in which anyone speaks: less than the sum where people speak at the same time. Missing in transcripts of earlier versions. */
    anySpeechSeconds?: number;
    /**
     * Set when the recording ends before its header says so, or where it cannot be decoded any further. `declaredSeconds` is the length that the
     * header promises, null when it does not tell. Missing in transcripts of earlier versions.
     */
    cutOff?: { declaredSeconds: number | null } | null;
    /** What was left out and why, e.g. silence or an answer that was not speech. Milliseconds. */
    dropped: { startMs: number; endMs: number; reason: string }[];
  };
}

export type Role = 'manager' | 'customer' | 'other';

/** A line of the labelled transcript. The text is the transcript's own, never rewritten. */
export interface Line {
  role: Role;
  /** As in the transcript; `other` is shown as "Speaker {speaker + 1}". */
  speaker: number | null;
  startMs: number;
  endMs: number;
  text: string;
}

/** Something found in a call. The quote is in the transcript, letter by letter; null only for what is missing from it ("no next step was agreed"). */
export interface Finding {
  text: string;
  quote: string | null;
  /** Index into `lines`. */
  line: number | null;
}

export interface ReportSectionContent {
  id: string;
  title: string;
  content: string;
  points: string[];
}

export interface Analysis {
  engine: { name: string; model: string };
  language: string | null;
  lines: Line[];
  rolesBy: 'channels' | 'speakers' | 'sentences' | 'nothing';
  /** 0 to 1: how sure the roles are. */
  rolesConfidence: number;
  product: string | null;
  customerIntent: string | null;
  nextStep: string | null;
  saleStatus: SaleStatus;
  summary: string;
  positives: Finding[];
  issues: Finding[];
  objections: Finding[];
  managerMistakes: Finding[];
  recommendations: string[];
  /** Absent in an analysis that was stored before calls had a kind. `quote` is null when no words show it. */
  callKind?: { kind: CallKind; quote: string | null } | undefined;
  score: number | null;
  /** Why there is no score; null when there is one. Absent in an analysis of before, as `callKind` is. */
  notScored?: { code: NotScoredCode; message: string } | null | undefined;
  /** The arithmetic behind the score: what each criterion of the rubric gave. The points add up to the score. */
  rubric: { id: string; title: string; points: number; of: number; why: string }[];
  /** Computed from the audio and the lines, never asked from a model. */
  numbers: Record<string, number | null>;
  /** All sections of a detailed report; shorter report types show some of them. */
  sections: ReportSectionContent[];
}
