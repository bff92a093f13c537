import { CALL_KINDS, SALE_STATUSES } from '@call-analytics/contracts';
import { z } from 'zod';
import { OBJECTIONS } from '../call/catalogue.ts';
import { CHECK_IDS, CHECKS } from '../call/rubric.ts';

// Strict structured outputs: every key is required, so what may be missing is nullable, never optional. Bounds are checked again here: endpoints may not.

// Lengths are not part of the schema that is sent: strict mode knows no maxLength.
const upTo = (characters: number) =>
  z.string().refine((value) => value.length <= characters, `at most ${characters} characters`);
const short = upTo(300);
const text = upTo(2_000);
const line = z.int().min(0).describe('Number of the line');
const evidence = z.object({
  line,
  quote: upTo(1_000).describe('Copied from that line, letter by letter, at most one sentence'),
});
const finding = z.object({ text, ...evidence.shape });

/** Mistakes that are heard in words; the others are counted by code. */
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
