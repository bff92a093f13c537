import { isDeepStrictEqual } from 'node:util';
import type { CORRECTED_VALUES, SaleStatus } from '@call-analytics/contracts';
import type { Analysis, Finding } from './record.ts';

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

/** The analysis with the answers of people. What they changed rests on no words of the call. The score stays. */
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
