import { type Analysis, type Line, type NextStep, type Role, type Transcript, timedWords } from '@call-analytics/calls';
import type { CallKind, SaleStatus } from '@call-analytics/contracts';
import type { CheckId, MistakeKind, ObjectionKind } from './catalogue.ts';

/** Where in the call something was said. The quote is a literal part of that line. */
export interface Evidence {
  quote: string;
  /** Index into the lines. */
  line: number;
}

/** Why a call has no score. */
export type NotScored = NonNullable<Analysis['notScored']>;

/** What an engine found in a call. Code makes the report from this, in the same way for each engine. */
export interface Observations {
  /** The kind of conversation, null when it is not clear, and the words that show it. */
  kind: { kind: CallKind | null; evidence: Evidence | null };
  product: string | null;
  customerIntent: { text: string; evidence: Evidence | null } | null;
  saleStatus: SaleStatus;
  /** What shows the outcome. */
  outcome: Evidence | null;
  /** `when` in the words of the call; null without a time. */
  nextStep: {
    text: string;
    when: string | null;
    evidence: Evidence;
    /** The steps one by one. */
    steps: NextStep[];
  } | null;
  checks: Record<CheckId, Evidence | null>;
  /** How likely the need is summed up where the check says so, 0 to 1; 1 when left out. */
  likelySumUp?: number;
  /** Questions of the manager about the situation or need of the customer. `likely`: 0 to 1, 1 when left out. */
  questions: (Evidence & { likely?: number })[];
  /** The line in which the manager first presents the offer, where it is another than the one that names it. */
  offeredAt?: number | undefined;
  /** Questions of substance by the customer, in order. `answer`: where the manager answers; null when not certain. */
  customerQuestions: { evidence: Evidence; answer: Evidence | null }[];
  /** What the call certainly lacks. Of one that is neither here nor found, nothing is said. */
  missing: readonly (CheckId | 'question' | 'next_step')[];
  /**
   * `kind` is null where it is an objection of no certain kind, and `answer` (where the manager answers it) when none
   * was found. `unanswered`: certain that there is none.
   */
  objections: {
    kind: ObjectionKind | null;
    text: string;
    evidence: Evidence;
    answer: Evidence | null;
    unanswered: boolean;
    /** Whether its answer is left out because it is that of two other objections. The objection counts as raised. */
    answerRepeated?: boolean;
    /** 0 to 1, 1 when left out. */
    likely?: number;
  }[];
  /** `kind` is null where none is certain, and `evidence` for something that is missing in the call. */
  mistakes: { kind: MistakeKind | null; text: string; evidence: Evidence | null }[];
  positives: { text: string; evidence: Evidence | null }[];
  issues: { text: string; evidence: Evidence | null }[];
  summary: string;
  /** The engine's own advice, placed before that of the rubric. */
  recommendations: string[];
}

/** The lines of a call with their roles, and how the roles were found. */
export interface Labelled {
  lines: Line[];
  rolesBy: Analysis['rolesBy'];
  /** 0 to 1. */
  rolesConfidence: number;
}

/** A part of an utterance by one person: the smallest unit that has a role. */
export interface Span {
  /** Index of its utterance. */
  utterance: number;
  speaker: number | null;
  /** Offsets into the utterance's text. */
  start: number;
  end: number;
  text: string;
  startMs: number;
  endMs: number;
}

/** @returns the role of a speaker as a person has said; null when nobody has */
export function rolesByPerson({ roles }: Transcript): ((speaker: number | null) => Role) | null {
  if (roles === undefined) return null;
  const given = new Map(roles.map(({ speaker, role }) => [speaker, role]));
  return (speaker) => given.get(speaker ?? -1) ?? 'other';
}

/**
 * Joins adjacent spans of one utterance and role to lines, which are literal parts of the utterance. A line that is not
 * all of it begins and ends with its words, if their times are known.
 */
export function linesOf(
  transcript: Transcript,
  spans: readonly Span[],
  roles: readonly Role[],
): { lines: Line[]; lineOf: number[] } {
  const lines: Line[] = [];
  const lineOf: number[] = [];
  let first: Span | undefined;
  let words: ReturnType<typeof timedWords> = [];
  spans.forEach((span, index) => {
    const role = roles[index] ?? 'other';
    const utterance = transcript.utterances[span.utterance];
    if (first?.utterance !== span.utterance) words = utterance === undefined ? [] : timedWords(utterance);
    const opening = words.findIndex(({ at, text }) => at + text.length > span.start);
    const closing = words.findLastIndex(({ at }) => at < span.end);
    let line = lines.at(-1);
    if (first === undefined || line === undefined || first.utterance !== span.utterance || line.role !== role) {
      first = span;
      const startMs = 0 < opening && opening <= closing ? (words[opening]?.startMs ?? 0) : span.startMs;
      line = { role, speaker: span.speaker, startMs, endMs: span.endMs, text: span.text };
      lines.push(line);
    }
    const endMs = closing < words.length - 1 ? (words[closing]?.endMs ?? span.endMs) : span.endMs;
    line.endMs = Math.max(line.startMs, endMs);
    line.text = (utterance?.text ?? '').slice(first.start, span.end);
    lineOf.push(lines.length - 1);
  });
  return { lines, lineOf };
}
