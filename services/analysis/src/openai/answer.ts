import { CALL_KINDS, SALE_STATUSES, SCORECARD_ANSWERS } from '@call-analytics/contracts';
import { z } from 'zod';
import { OBJECTIONS } from '../call/catalogue.ts';
import { CHECK_IDS, CHECKS } from '../call/rubric.ts';
import { HEARD_MISTAKES, type HeardMistake } from './prompt.ts';

// Strict structured outputs: every key is required, so values that may be missing are nullable, and bounds are checked
// again here. Keys are answered in their order, so quotes come before what they prove.

// Lengths are not in the schema that is sent, because strict mode has no maxLength.
const upTo = (characters: number) =>
  z.string().refine((value) => value.length <= characters, `at most ${characters} characters`);
const text = upTo(1_000);
const line = z.int().min(0).describe('Number of the line');
const evidence = z.object({
  line,
  quote: upTo(1_000).describe('Copied from that line, letter by letter: three words at least'),
});
const finding = z.object({ ...evidence.shape, text });
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
  product: z
    .object({ ...evidence.shape, name: upTo(200) })
    .nullable()
    .describe('What is sold, by its name in the quote'),
  customer_intent: finding.nullable().describe('What the customer wants, quoted from the customer'),
  checks: z.object(
    Object.fromEntries(
      CHECK_IDS.map((id) => [id, evidence.nullable().describe(`The manager: ${CHECKS[id].title}`)]),
    ) as Record<(typeof CHECK_IDS)[number], z.ZodNullable<typeof evidence>>,
  ),
  questions: z.array(evidence).describe('Questions of the manager about the situation or need of the customer'),
  customer_questions: z
    .array(z.object({ ...evidence.shape, answer: evidence.nullable().describe('Where the manager answers it') }))
    .describe('Questions of the customer about the offer or its terms'),
  objections: z.array(
    z.object({
      ...evidence.shape,
      kind: z.enum(Object.keys(OBJECTIONS) as [keyof typeof OBJECTIONS]),
      text,
      answer: evidence.nullable().describe('Where the manager takes it up; null when they do not'),
    }),
  ),
  mistakes: z.array(z.object({ ...evidence.shape, kind: z.enum(Object.keys(HEARD_MISTAKES) as [HeardMistake]), text })),
  positives: z.array(finding),
  issues: z.array(finding),
  next_steps: z
    .array(
      z.object({
        ...evidence.shape,
        text,
        when: z
          .object({ ...evidence.shape, words: upTo(200).describe('The time, as in the quote') })
          .nullable()
          .describe('When it happens; null when no time was said'),
        who: z.enum(['manager', 'customer', 'both']).nullable().describe('Who does it; null when that is not certain'),
      }),
    )
    .describe('What was agreed to happen after the call; empty when nothing was'),
  outcome: z
    .object({ evidence: evidence.nullable().describe('What shows the status'), status: z.enum(SALE_STATUSES) })
    .describe('How the sale stands at the end of the call'),
  summary: z.array(finding),
  recommendations: z.array(finding),
});
/** With the questions of an account's scorecard. */
export const AnswerWithScorecard = Answer.extend({
  scorecard: z
    .array(
      z.object({
        question: z.int().min(1).describe('Number of the scorecard question'),
        evidence: evidence.nullable().describe('What proves the answer; null when no words do'),
        answer: z.enum(SCORECARD_ANSWERS),
      }),
    )
    .describe('One entry for each scorecard question'),
});
export type Answer = z.infer<typeof Answer> & Partial<z.infer<typeof AnswerWithScorecard>>;

const NONE: Answer = {
  call_kind: { evidence: null, kind: 'other' },
  language: '',
  speakers: [],
  turns: [],
  product: null,
  customer_intent: null,
  checks: Object.fromEntries(CHECK_IDS.map((id) => [id, null])) as Answer['checks'],
  questions: [],
  customer_questions: [],
  objections: [],
  mistakes: [],
  positives: [],
  issues: [],
  next_steps: [],
  outcome: { evidence: null, status: 'unclear' },
  summary: [],
  recommendations: [],
  scorecard: [],
};

/** A list longer than this is cut: a call has no 50 objections. */
const MOST_ITEMS = 50;

/** What can be used of an answer. */
export interface Reading {
  answer: Answer;
  /** Items that do not fit the schema and were left out. */
  malformed: number;
  /** What is wrong with whole fields, in words for the model. Empty when all can be used. */
  problems: string[];
}

/**
 * Reads an answer field by field and item by item, so that one bad item costs only itself.
 * @param json what the model wrote, parsed
 * @param asked the schema that it was asked for
 * @returns null when not even the kind of call can be read
 */
export function readAnswer(json: unknown, asked: typeof Answer | typeof AnswerWithScorecard = Answer): Reading | null {
  if (typeof json !== 'object' || json === null) return null;
  const given = json as Record<string, unknown>;
  const answer: Record<string, unknown> = { ...NONE };
  const problems: string[] = [];
  let malformed = 0;
  for (const [key, schema] of Object.entries(asked.shape)) {
    const value = given[key];
    const whole = schema.safeParse(value);
    if (Array.isArray(value) && schema instanceof z.ZodArray) {
      const items = value.map((item) => (schema.element as z.ZodType).safeParse(item));
      const fitting = items.flatMap((item) => (item.success ? [item.data] : []));
      const kept = key === 'turns' ? fitting : fitting.slice(0, MOST_ITEMS);
      answer[key] = kept;
      malformed += value.length - kept.length;
    } else if (whole.success) answer[key] = whole.data;
    else if (key === 'checks' && typeof value === 'object' && value !== null) {
      const checks = CHECK_IDS.map(
        (id) => [id, evidence.nullable().safeParse((value as Record<string, unknown>)[id])] as const,
      );
      answer[key] = Object.fromEntries(checks.map(([id, check]) => [id, check.success ? check.data : null]));
      malformed += checks.filter(([, check]) => !check.success).length;
    } else {
      malformed += 1;
      problems.push(value === undefined ? `"${key}" is missing` : `"${key}" does not fit the schema`);
    }
  }
  if (problems.some((problem) => problem.startsWith('"call_kind"'))) return null;
  return { answer: answer as Answer, malformed, problems };
}
