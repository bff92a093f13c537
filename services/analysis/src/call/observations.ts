import type { Line } from '@call-analytics/calls';
import type { CallKind, SaleStatus } from '@call-analytics/contracts';
import type { MistakeKind, ObjectionKind } from './catalogue.ts';
import type { CheckId } from './rubric.ts';

/** Where in the call something was said. The quote is in that line, letter by letter. */
export interface Evidence {
  quote: string;
  /** Index into the lines. */
  line: number;
}

/** What an engine found out about a call. Everything else of a report is made of this by code, the same for each engine. */
export interface Observations {
  /** What kind of conversation it is, and the words that show it. */
  kind: { kind: CallKind; evidence: Evidence | null };
  product: string | null;
  customerIntent: { text: string; evidence: Evidence | null } | null;
  saleStatus: SaleStatus;
  /** What shows the outcome. */
  outcome: Evidence | null;
  /** `when` as it was said; null when no time was named. */
  nextStep: { text: string; when: string | null; evidence: Evidence } | null;
  checks: Record<CheckId, Evidence | null>;
  /** `answer`: where the manager takes it up. */
  objections: { kind: ObjectionKind; text: string; evidence: Evidence; answer: Evidence | null }[];
  /** `evidence` is null for what is missing from the call. */
  mistakes: { kind: MistakeKind; text: string; evidence: Evidence | null }[];
  positives: { text: string; evidence: Evidence | null }[];
  issues: { text: string; evidence: Evidence | null }[];
  summary: string;
  /** An engine's own advice; it comes before that of the rubric. */
  recommendations: string[];
}

/** The lines of a call with their roles, and how those were found. */
export interface Labelled {
  lines: Line[];
  rolesBy: 'channels' | 'speakers' | 'sentences' | 'nothing';
  /** 0 to 1. */
  rolesConfidence: number;
}

/**
 * @param hint the line it should be in; other lines are searched when it is not there
 * @returns where a quote stands, or null when it is nowhere: white space may differ, nothing else. The quote given back is the transcript's.
 */
export function locate(quote: string, lines: readonly Line[], hint: number | null = null): Evidence | null {
  const words = quote.trim().split(/\s+/);
  if (words[0] === undefined || words[0] === '') return null;
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'), 'u');
  const inOrder = hint !== null && lines[hint] !== undefined ? [hint, ...lines.keys()] : lines.keys();
  for (const index of inOrder) {
    const found = pattern.exec(lines[index]?.text ?? '');
    if (found !== null) return { quote: found[0], line: index };
  }
  return null;
}
