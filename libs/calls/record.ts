import type {
  AnalysisEngine,
  AudioFormat,
  CallKind,
  CallStatus,
  Dependency,
  NotScoredCode,
  ReportType,
  SaleStatus,
  Stage,
} from '@call-analytics/contracts';
import type { Correction, EarlierAnalysis, SpeakerRole } from './corrections.ts';
import type { JudgedQuestion } from './scorecard.ts';

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
  /** The analyses that were replaced, oldest first; the latest MOST_EARLIER of them. */
  earlierAnalyses: readonly EarlierAnalysis[];
  /** What people say of single answers. `product` and `saleStatus` are theirs. */
  corrections: readonly Correction[];
  /** W3C trace context of the upload (https://www.w3.org/TR/trace-context/); all spans of the call belong to it. */
  traceparent: string | null;
  createdAt: Date;
  /** The last change that a reader of the API can see. */
  updatedAt: Date;
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

/**
 * The result for one segment of the recording, stored when it is finished. `key` names the segment and how it was
 * transcribed, so that a later attempt can reuse it.
 */
export interface Segment {
  key: string;
  /** 0-based; null when the segment holds all channels mixed. */
  channel: number | null;
  startMs: number;
  endMs: number;
  utterances: Utterance[];
  /** The language that the engine heard or was told (BCP 47); null when it does not say. */
  language: string | null;
  /** The settled language that the engine was told; missing when it was told none, and in older records. */
  toldLanguage?: string;
  /** The answer in another language, when the engine heard that one without being told. */
  other?: { language: string; utterances: Utterance[] };
  /** Why there is no answer; missing when there is one. */
  unanswered?: string;
  /** The segments of one request that held several, each with its own key. The utterances are theirs. */
  packed?: Segment[];
}

export interface Utterance {
  /** Who speaks: 0-based, the same person throughout the call; null when speakers could not be told apart. */
  speaker: number | null;
  startMs: number;
  endMs: number;
  text: string;
  /** Set where it is not the language of the transcript. */
  language?: string;
  /** The times of its words (see word-times.ts). Missing where the engine gave none, and in older records. */
  words?: string;
  /** Terms of the vocabulary in place of what the engine wrote, by offset in the text. Missing in older records. */
  misheard?: { at: number; heard: string; term: string }[];
  /** 0 to 1: how sure it is that this is the speaker. Set where voices were told apart. */
  confidence?: number;
  /** In a segment: whom the engine named as the speaker. The same only within `request`. */
  label?: { request: string; speaker: string };
}

export interface Transcript {
  /** The main language (BCP 47), null when the engine does not say. */
  language: string | null;
  /** The day of the call, such as 2026-11-20, where it is known. */
  date?: string | undefined;
  /** In order of time. Empty when there was no speech. */
  utterances: Utterance[];
  /** Set when the times were only estimated from the number of words. */
  timesEstimated?: true;
  /** How speakers were told apart: by channel (exact), by voice, by the engine, by a person, or not at all. */
  speakersBy: 'channels' | 'voices' | 'engine' | 'person' | 'nothing';
  /** Who is who, where a person has said so. */
  roles?: SpeakerRole[];
  /** 0 to 1: how sure it is that two people share a channel and were told apart. Missing where none was shared. */
  speakersConfidence?: number;
  engine: { name: string; model: string };
  audio: {
    seconds: number;
    channels: number;
    /** Seconds that were given to the engine. */
    coveredSeconds: number;
    /** Seconds with speech, per speaker (one entry when speakers are not told apart). */
    speechSeconds: number[];
    /** Seconds in which anyone speaks: less than the sum where people overlap. Missing in older transcripts. */
    anySpeechSeconds?: number;
    /**
     * Seconds with words, without sound, with music or laughter, and with sound that got no answer. They add up to
     * `seconds`. Missing in older transcripts.
     */
    coverage?: { heard: number; silent: number; music: number; unanswered: number };
    /** Where two people speak at once for half a second or more, by channel. Missing in older transcripts. */
    overlaps?: { startMs: number; endMs: number }[];
    /**
     * Set when the recording ends before its header says so, or cannot be decoded any further. `declaredSeconds` is the
     * length in the header, null when it has none. Missing in older transcripts.
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

/**
 * Something found in a call. The quote is in the transcript, letter by letter; null only for something that is missing
 * ("no next step was agreed").
 */
export interface Finding {
  text: string;
  /** The kind of an objection or a mistake. Missing in older analyses. */
  kind?: string;
  quote: string | null;
  /** Index into `lines`. */
  line: number | null;
}

/** Words of the call that prove something: the quote is literally in the line. */
export interface Proof {
  quote: string;
  /** Index into `lines`. */
  line: number;
}

/** Something that was agreed to happen after the call: an action item. */
export interface NextStep extends Proof {
  /** The part of the quote that proposes it, or the engine's words. */
  what: string;
  /** In the words of the call; null without a time. */
  when: string | null;
  /** Such as 2026-11-24; null where the words and the date of the call do not determine it. */
  day: string | null;
  who: 'manager' | 'customer' | 'both' | null;
}

/** A question of substance that the customer asks. */
export interface CustomerQuestion extends Proof {
  /** Where the manager answers it; null where that is not certain. */
  answer: Proof | null;
  /** Certain that it stays without an answer. */
  unanswered: boolean;
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
  rolesBy: 'channels' | 'speakers' | 'sentences' | 'person' | 'nothing';
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
  /** Missing in analyses stored before calls had a kind. `quote` is null when no words show it. */
  callKind?: { kind: CallKind | null; quote: string | null } | undefined;
  score: number | null;
  /** Why there is no score; null when there is one. Missing in older analyses, as `callKind` is. */
  notScored?: { code: NotScoredCode; message: string } | null | undefined;
  /**
   * The questions that the call was judged by. The score is the points in percent of `of`, or 0 when `failedBy` is set.
   * Version 0 is the default rubric. Missing in older analyses.
   */
  scorecard?: { version: number; questions: JudgedQuestion[]; failedBy: string | null } | undefined;
  /** What each criterion of the default rubric contributed; empty with an own scorecard. 0 of 0 does not apply. */
  rubric: { id: string; title: string; points: number; of: number; why: string }[];
  /** What the single values rest on. Missing in older analyses. */
  evidence?:
    | {
        kind: Proof | null;
        product: Proof | null;
        saleStatus: Proof | null;
        customerIntent: Proof | null;
        nextSteps: NextStep[];
        /** Missing in older analyses. */
        customerQuestions?: CustomerQuestion[];
      }
    | undefined;
  /** Computed from the audio and the lines, never asked from a model. */
  numbers: Record<string, number | null>;
  /** All sections of a detailed report; shorter report types show some of them. */
  sections: ReportSectionContent[];
}
