import type { Analysis, Line, Role, Transcript } from '@call-analytics/calls';
import { CALL_KINDS, SALE_STATUSES, type SaleStatus } from '@call-analytics/contracts';
import { WorkError } from '@call-analytics/service-kit';
import { z } from 'zod';
import { OBJECTIONS } from '../call/catalogue.ts';
import { type Evidence, locate, withinLimits } from '../call/evidence.ts';
import { countedMistakes, numbersOf } from '../call/numbers.ts';
import { type Labelled, linesOf, type Observations, type Span } from '../call/observations.ts';
import { reportOf } from '../call/report.ts';
import { CHECK_IDS, CHECKS } from '../call/rubric.ts';

// Strict structured outputs: every key is required, so values that may be missing are nullable, never optional. Bounds
// are checked again here, because endpoints may not check them.

// Lengths are not in the schema that is sent, because strict mode has no maxLength.
const upTo = (characters: number) =>
  z.string().refine((value) => value.length <= characters, `at most ${characters} characters`);
const short = upTo(300);
const text = upTo(2_000);
const line = z.int().min(0).describe('Number of the line');
const evidence = z.object({
  line,
  quote: upTo(1_000).describe(
    'Copied from that line, letter by letter: three words at least, one or two sentences at most',
  ),
});
const finding = z.object({ text, ...evidence.shape });

/** Mistakes that are found in words; code counts the others. */
const HEARD_MISTAKES = [
  'rude',
  'pushy',
  'pressure',
  'promise',
  'badmouthing',
  'interrupting',
  'unanswered',
  'jargon',
] as const;
const roles = z.enum(['manager', 'customer', 'other']);

export const Answer = z.object({
  call_kind: z
    .object({
      evidence: evidence.nullable().describe('What shows the kind; null when no words do'),
      kind: z.enum(CALL_KINDS),
    })
    .describe('What kind of conversation this is'),
  language: upTo(35).describe('BCP 47 tag of the language spoken'),
  speakers: z
    .array(z.object({ speaker: z.int().min(1), role: roles }))
    .describe('One entry for each speaker S1, S2, ...; empty when lines name none'),
  turns: z
    .array(z.object({ from: line, to: line, role: roles }))
    .describe('Only when lines name no speakers: who says which lines; all lines, in order'),
  roles_confidence: z.number().min(0).max(1),
  product: short.nullable().describe('What is sold, as it is called in the call'),
  customer_intent: z
    .object({ text, ...evidence.shape })
    .nullable()
    .describe('What the customer wants'),
  sale_status: z.enum(SALE_STATUSES).describe('How it stands at the end of the call'),
  outcome: evidence.nullable().describe('What shows the sale status'),
  next_step: z
    .object({ text, when: short.nullable().describe('As it was said'), ...evidence.shape })
    .nullable()
    .describe('What was agreed to happen after the call; null when nothing was'),
  checks: z.object(
    Object.fromEntries(
      CHECK_IDS.map((id) => [id, evidence.nullable().describe(`The manager: ${CHECKS[id].title}`)]),
    ) as Record<(typeof CHECK_IDS)[number], z.ZodNullable<typeof evidence>>,
  ),
  objections: z
    .array(
      z.object({
        kind: z.enum(Object.keys(OBJECTIONS) as [keyof typeof OBJECTIONS]),
        text,
        ...evidence.shape,
        answer: evidence.nullable().describe('Where the manager takes it up; null when they do not'),
      }),
    )
    .max(50),
  mistakes: z.array(z.object({ kind: z.enum(HEARD_MISTAKES), text, ...evidence.shape })).max(50),
  positives: z.array(finding).max(50),
  issues: z.array(finding).max(50),
  summary: upTo(4_000),
  recommendations: z.array(text).max(50),
});
export type Answer = z.infer<typeof Answer>;

/**
 * Makes the analysis from the answer of a model. A finding is kept only when the transcript holds its quote, said by
 * the right person. The score is computed from the kept findings.
 * @throws WorkError `transient` when the answer does not say who is the manager
 */
export function analysisOf(
  transcript: Transcript,
  spans: readonly Span[],
  answer: Answer,
  engine: Analysis['engine'],
): Analysis {
  const { labelled, lineOf } = label(transcript, spans, answer);
  const { lines } = labelled;
  const numbers = numbersOf(transcript, lines, questionsIn(lines));
  const proven = (said: { line: number; quote: string } | null, by?: Role): Evidence | null => {
    if (said === null) return null;
    return locate(said.quote, lines, lineOf[said.line] ?? null, by);
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
  const limited = withinLimits(observed, sentencesOf(spans, lineOf));
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

/** The status `sold` needs a quote of the customer, any other status a quote of the call. */
function statusProven(status: SaleStatus, outcome: Evidence | null, lines: readonly Line[]): SaleStatus {
  if (outcome === null) return 'unclear';
  return status === 'sold' && lines[outcome.line]?.role !== 'customer' ? 'unclear' : status;
}

/** @returns the product when the call contains its words, in any letter case */
function spokenIn(lines: readonly Line[], product: string | null): string | null {
  if (product === null) return null;
  const plain = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  const name = plain(product);
  return name.trim() !== '' && lines.some(({ text }) => plain(text).includes(name)) ? product : null;
}

/** Names the first numbered sentence that contains a quote. */
function sentencesOf(spans: readonly Span[], lineOf: readonly number[]): (evidence: Evidence) => string {
  const ofLine = Map.groupBy(spans.keys(), (index) => lineOf[index] ?? -1);
  return ({ quote, line }) => {
    const own = ofLine.get(line) ?? [];
    const found = own.find((index) => overlaps(spans[index]?.text ?? '', quote)) ?? own[0];
    return String(found ?? `line ${line}`);
  };
}

function overlaps(sentence: string, quote: string): boolean {
  return sentence.includes(quote) || quote.startsWith(sentence);
}

function label(
  transcript: Transcript,
  spans: readonly Span[],
  answer: Answer,
): { labelled: Labelled; lineOf: number[] } {
  const toldApart = spans.some(({ speaker }) => speaker !== null);
  const given = toldApart ? bySpeaker(spans, answer.speakers) : byTurn(spans, answer.turns);
  if (answer.call_kind.kind === 'sales' && !given.includes('manager') && !given.includes('customer')) {
    throw new WorkError({
      kind: 'transient',
      code: 'engine_answer_invalid',
      message: 'The AI model did not say who is who in this call.',
    });
  }
  const named = given.filter((role) => role !== null).length;
  const roles = given.map((role): Role => role ?? 'other');
  const { lines, lineOf } = linesOf(transcript, spans, roles);
  const rolesBy = !toldApart ? 'sentences' : transcript.speakersBy === 'channels' ? 'channels' : 'speakers';
  // The confidence of the model counts only for the lines it gave a role.
  const rolesConfidence = Math.round((100 * answer.roles_confidence * named) / spans.length) / 100;
  return { labelled: { lines, rolesBy, rolesConfidence }, lineOf };
}

function bySpeaker(spans: readonly Span[], speakers: Answer['speakers']): (Role | null)[] {
  const roles = new Map(speakers.map(({ speaker, role }) => [speaker - 1, role]));
  return spans.map(({ speaker }) => (speaker === null ? null : (roles.get(speaker) ?? null)));
}

function byTurn(spans: readonly Span[], turns: Answer['turns']): (Role | null)[] {
  const roles: (Role | null)[] = spans.map(() => null);
  for (const { from, to, role } of turns) {
    for (let index = from; index <= Math.min(to, spans.length - 1); index += 1) roles[index] = role;
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
