import type { Analysis, Line, Role, Transcript } from '@call-analytics/calls';
import type { SaleStatus } from '@call-analytics/contracts';
import { WorkError } from '@call-analytics/service-kit';
import { withinLimits } from '../call/evidence-limits.ts';
import { linesOf, type Piece } from '../call/lines.ts';
import { countedMistakes } from '../call/mistakes.ts';
import { numbersOf } from '../call/numbers.ts';
import { type Evidence, type Labelled, locate, type Observations } from '../call/observations.ts';
import { reportOf } from '../call/report.ts';
import { CHECK_IDS } from '../call/rubric.ts';
import type { Answer } from './schema.ts';

/**
 * Makes the analysis of what a model answered. Nothing is believed that the transcript does not show: a finding stays only when its quote is there and was said by
 * the one it is about. The score is computed from what stays.
 * @throws WorkError `transient` when the answer does not say who is the manager
 */
export function analysisOf(
  transcript: Transcript,
  pieces: readonly Piece[],
  answer: Answer,
  engine: Analysis['engine'],
): Analysis {
  const { labelled, lineOf } = label(transcript, pieces, answer);
  const { lines } = labelled;
  const numbers = numbersOf(transcript, lines, questionsIn(lines));
  const proven = (said: { line: number; quote: string } | null, by?: Role): Evidence | null => {
    if (said === null) return null;
    const evidence = locate(said.quote, lines, lineOf[said.line] ?? null);
    return evidence === null || (by !== undefined && lines[evidence.line]?.role !== by) ? null : evidence;
  };
  const kept = <T extends { line: number; quote: string }>(findings: readonly T[], by?: Role) =>
    findings.flatMap((finding) => {
      const evidence = proven(finding, by);
      return evidence === null ? [] : [{ ...finding, evidence }];
    });

  const checks = Object.fromEntries(
    CHECK_IDS.map((id) => [id, proven(answer.checks[id], 'manager')]),
  ) as Observations['checks'];
  const step = proven(answer.next_step);
  const nextStep =
    answer.next_step === null || step === null
      ? null
      : { text: answer.next_step.text, when: answer.next_step.when, evidence: step };
  const intent = proven(answer.customer_intent);
  const outcome = proven(answer.outcome);
  const kindEvidence = proven(answer.call_kind.evidence);
  const saleStatus = statusProven(answer.sale_status, outcome, lines);
  const said = kept(answer.mistakes, 'manager').map(({ kind, text, evidence }) => ({ kind, text, evidence }));
  const observed: Observations = {
    kind: { kind: answer.call_kind.kind, evidence: kindEvidence },
    product: spokenIn(lines, blankToNull(answer.product)),
    customerIntent:
      answer.customer_intent === null || intent === null
        ? null
        : { text: answer.customer_intent.text, evidence: intent },
    saleStatus,
    outcome,
    nextStep,
    checks,
    objections: kept(answer.objections, 'customer').map(({ kind, text, evidence, answer: reply }) => ({
      kind,
      text,
      evidence,
      answer: proven(reply, 'manager'),
    })),
    mistakes: said,
    positives: kept(answer.positives).map(({ text, evidence }) => ({ text, evidence })),
    issues: kept(answer.issues).map(({ text, evidence }) => ({ text, evidence })),
    summary: answer.summary.trim(),
    recommendations: answer.recommendations.filter((advice) => advice.trim() !== ''),
  };
  const limited = withinLimits(observed, sentencesOf(pieces, lineOf));
  const mistakes = [...said, ...countedMistakes(lines, numbers, said, limited)];
  return reportOf(
    transcript,
    labelled,
    numbers,
    { ...limited, mistakes },
    engine,
    transcript.language ?? languageTag(answer.language),
  );
}

/** A sale needs words of the customer, any other status words of the call; a model's word alone is none. */
function statusProven(status: SaleStatus, outcome: Evidence | null, lines: readonly Line[]): SaleStatus {
  if (outcome === null) return 'unclear';
  return status === 'sold' && lines[outcome.line]?.role !== 'customer' ? 'unclear' : status;
}

/** @returns the product when its words stand in the call, in any case */
function spokenIn(lines: readonly Line[], product: string | null): string | null {
  if (product === null) return null;
  const plain = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  const name = plain(product);
  return name.trim() !== '' && lines.some(({ text }) => plain(text).includes(name)) ? product : null;
}

/** Names the first of the numbered sentences that a quote stands in. */
function sentencesOf(pieces: readonly Piece[], lineOf: readonly number[]): (evidence: Evidence) => string {
  const ofLine = Map.groupBy(pieces.keys(), (index) => lineOf[index] ?? -1);
  return ({ quote, line }) => {
    const own = ofLine.get(line) ?? [];
    const found = own.find((index) => overlaps(pieces[index]?.text ?? '', quote)) ?? own[0];
    return String(found ?? `line ${line}`);
  };
}

function overlaps(sentence: string, quote: string): boolean {
  return sentence.includes(quote) || quote.startsWith(sentence);
}

function label(
  transcript: Transcript,
  pieces: readonly Piece[],
  answer: Answer,
): { labelled: Labelled; lineOf: number[] } {
  const toldApart = pieces.some(({ speaker }) => speaker !== null);
  const given = toldApart ? bySpeaker(pieces, answer.speakers) : byTurn(pieces, answer.turns);
  if (answer.call_kind.kind === 'sales' && !given.includes('manager') && !given.includes('customer')) {
    throw new WorkError({
      kind: 'transient',
      code: 'engine_answer_invalid',
      message: 'The AI model did not say who is who in this call.',
    });
  }
  const named = given.filter((role) => role !== null).length;
  const roles = given.map((role): Role => role ?? 'other');
  const { lines, lineOf } = linesOf(transcript, pieces, roles);
  const rolesBy = !toldApart ? 'sentences' : transcript.speakersBy === 'channels' ? 'channels' : 'speakers';
  // What a model says of its own certainty counts only for the lines it named.
  const rolesConfidence = Math.round((100 * answer.roles_confidence * named) / pieces.length) / 100;
  return { labelled: { lines, rolesBy, rolesConfidence }, lineOf };
}

function bySpeaker(pieces: readonly Piece[], speakers: Answer['speakers']): (Role | null)[] {
  const roles = new Map(speakers.map(({ speaker, role }) => [speaker - 1, role]));
  return pieces.map(({ speaker }) => (speaker === null ? null : (roles.get(speaker) ?? null)));
}

function byTurn(pieces: readonly Piece[], turns: Answer['turns']): (Role | null)[] {
  const roles: (Role | null)[] = pieces.map(() => null);
  for (const { from, to, role } of turns) {
    for (let index = from; index <= Math.min(to, pieces.length - 1); index += 1) roles[index] = role;
  }
  return roles;
}

function questionsIn(lines: readonly Line[]): Record<Role, number> {
  const count: Record<Role, number> = { manager: 0, customer: 0, other: 0 };
  for (const { role, text } of lines) count[role] += text.match(/[?？؟]/g)?.length ?? 0;
  return count;
}

function blankToNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text.trim();
}

function languageTag(tag: string): string | null {
  return /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/.test(tag) ? tag : null;
}
