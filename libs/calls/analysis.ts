import { isDeepStrictEqual } from 'node:util';
import type {
  CallKind,
  CORRECTED_VALUES,
  NotScoredCode,
  SaleStatus,
  ScorecardAnswer,
  ScorecardQuestion,
} from '@call-analytics/contracts';
import type { Role } from './transcript.ts';

/** A line of the labeled transcript. The text is the transcript's own, never rewritten. */
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

/** A question of a scorecard, and what the call says to it. */
export interface JudgedQuestion extends Omit<ScorecardQuestion, 'check'> {
  check?: string | undefined;
  answer: ScorecardAnswer;
  /** The words that prove the answer; null for something that is missing or counted. */
  proof: Proof | null;
  points: number;
  of: number;
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
   * The questions that the call was judged by; version 0 is the default rubric, and older analyses have none. The score
   * is the points in percent of `of`, or 0 when `failedBy` is set.
   */
  scorecard?: { version: number; questions: JudgedQuestion[]; failedBy: string | null } | undefined;
  /** What each criterion of the default rubric contributed; empty with a custom scorecard. 0 of 0 does not apply. */
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

// What people say of single answers of an analysis, kept apart from it.

export type CorrectedField = keyof typeof CORRECTED_VALUES;

export interface Correction {
  field: CorrectedField;
  /** Empty when there is none; of a list, the findings that are right. */
  value: string | string[];
  /** The answer of the engine. The same as `value` when the person has confirmed it. */
  engine: string | string[];
  /** The name of the person or of the API key. */
  by: string;
  /** ISO 8601. */
  at: string;
}

function engineAnswer(analysis: Analysis, field: CorrectedField): string | string[] {
  if (field === 'objections' || field === 'managerMistakes') return analysis[field].map(({ text }) => text);
  return analysis[field] ?? '';
}

/** @returns null when a list names a finding that is not in the report */
export function correctionOf(
  analysis: Analysis,
  { field, value, ...told }: Omit<Correction, 'engine'>,
): Correction | null {
  const engine = engineAnswer(analysis, field);
  if (typeof value === 'string' || typeof engine === 'string') return { field, value, engine, ...told };
  const right = engine.filter((text) => value.includes(text));
  return value.every((text) => engine.includes(text)) ? { field, value: right, engine, ...told } : null;
}

/** @returns whether the answer of the engine was right */
export function isConfirmed({ value, engine }: Correction): boolean {
  return isDeepStrictEqual(value, engine);
}

/** The corrections after a new analysis. Those of a list need one of the findings that are none, or the same list. */
export function stillApplying(corrections: readonly Correction[], analysis: Analysis): Correction[] {
  return corrections.flatMap((correction) => {
    const engine = engineAnswer(analysis, correction.field);
    const { value, engine: before } = correction;
    if (typeof value === 'string' || typeof before === 'string' || typeof engine === 'string')
      return { ...correction, engine };
    const none = before.filter((text) => !value.includes(text));
    const applies = engine.some((text) => none.includes(text)) || isDeepStrictEqual(before, engine);
    return applies ? { ...correction, engine, value: engine.filter((text) => !none.includes(text)) } : [];
  });
}

/** The analysis with the answers of people; its score stays. What they changed rests on no words of the call. */
export function corrected(analysis: Analysis, corrections: readonly Correction[]): Analysis {
  return corrections.reduce((report, correction) => (isConfirmed(correction) ? report : applied(report, correction)), {
    ...analysis,
  });
}

function applied(report: Analysis, { field, value }: Correction): Analysis {
  const { evidence } = report;
  const withEvidence = (change: Partial<NonNullable<Analysis['evidence']>>) => evidence && { ...evidence, ...change };
  if (field === 'saleStatus')
    return { ...report, saleStatus: value as SaleStatus, evidence: withEvidence({ saleStatus: null }) };
  if (field === 'product')
    return { ...report, product: String(value) || null, evidence: withEvidence({ product: null }) };
  if (field === 'nextStep')
    return { ...report, nextStep: String(value) || null, evidence: withEvidence({ nextSteps: [] }) };
  const none = report[field].filter(({ text }) => !value.includes(text));
  const questions = evidence?.customerQuestions?.map((question) => ({ ...question, unanswered: false }));
  return {
    ...report,
    [field]: report[field].filter(({ text }) => value.includes(text)),
    // What was said of a finding goes with it.
    issues: report.issues.filter((issue) => !none.some((finding) => isAtSameWords(finding, issue))),
    ...(none.some(({ kind }) => kind === 'unanswered') &&
      questions && { evidence: withEvidence({ customerQuestions: questions }) }),
  };
}

function isAtSameWords(one: Finding, other: Finding): boolean {
  return one.line !== null && one.line === other.line && one.quote === other.quote;
}
