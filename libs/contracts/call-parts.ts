import { z } from 'zod';
import { CALL_STATUSES, REPORT_TYPES, SALE_STATUSES, SPEAKER_ROLES } from './states.ts';

// What is at an address of its own below a call.

const language = z.string().describe('BCP 47 language of the call; `und` when not known');
const callId = z.string().describe('Call identifier');
const seconds = z.number().min(0).describe('Seconds from the start of the recording');

export const CallTranscript = z
  .object({
    callId,
    status: z.enum(CALL_STATUSES),
    language,
    seconds: z.number().min(0).describe('Length of the recording'),
    turns: z
      .array(
        z
          .object({
            start: seconds,
            end: seconds,
            speaker: z
              .string()
              .describe('`Manager`, `Customer` or `Speaker N`; until the call is completed `Speaker N`'),
            role: z.enum(SPEAKER_ROLES).nullable().describe('Null until the call is completed'),
            confidence: z
              .number()
              .min(0)
              .max(1)
              .nullable()
              .describe('How certain the roles of the call are; null until the call is completed'),
            language: z.string().describe('BCP 47; `und` when not known'),
            text: z.string(),
          })
          .strict(),
      )
      .describe('In order of time. Empty until the recording is transcribed, and without speech'),
    unheard: z
      .array(
        z
          .object({
            start: seconds,
            end: seconds,
            reason: z.string().describe('Such as `silence`, or why the answer of the engine was dropped'),
          })
          .strict(),
      )
      .describe('What is not in the turns, and why'),
  })
  .strict()
  .meta({ id: 'CallTranscript', description: 'Who said what and when' });

const speaker = z.int().min(1).describe('Number of the speaker, from 1');
const role = z.enum(SPEAKER_ROLES).describe('`manager` sells or speaks for the company; `other` is neither');

export const CallSpeakers = z
  .object({
    callId,
    confidence: z.number().min(0).max(1).describe('How certain the roles are; 1 when a person has said them'),
    speakers: z.array(
      z
        .object({ speaker, role, words: z.int().min(0), firstWords: z.string().describe('To recognize them by') })
        .strict(),
    ),
  })
  .strict()
  .meta({ id: 'CallSpeakers', description: 'Who is who in a call' });

export const SpeakerRoles = z
  .object({ speakers: z.array(z.object({ speaker, role }).strict()).min(1).max(100) })
  .strict()
  .meta({ id: 'SpeakerRoles', description: 'The role of each speaker of a call' });

const words = z
  .object({
    quote: z.string().describe('Literally in the line'),
    line: z.int().min(0).describe('Index of the line in `transcript`, from 0'),
    start: seconds,
    speaker: z.string().describe('`Manager`, `Customer` or `Speaker N`'),
  })
  .strict()
  .nullable()
  .describe('The words of the call that show it; null when none do');
const findings = z.array(
  z
    .object({
      text: z.string().describe('As in the report'),
      kind: z.string().nullable().describe('The kind of an objection or a mistake'),
      words,
    })
    .strict(),
);

export const CallEvidence = z
  .object({
    callId,
    positives: findings,
    issues: findings,
    objections: findings,
    managerMistakes: findings,
    callKind: words,
    product: words,
    saleStatus: words,
    customerIntent: words,
    nextSteps: z
      .array(
        z
          .object({
            what: z.string().describe('The part of the words that proposes it, or what it is'),
            when: z.string().nullable().describe('In the words of the call; null without a time'),
            day: z.iso.date().nullable().describe('null where the words and the date of the call do not determine it'),
            who: z
              .enum(['manager', 'customer', 'both'])
              .nullable()
              .describe('Who does it; null when that is not certain'),
            words,
          })
          .strict(),
      )
      .describe('The action items: what was agreed to happen after the call. `nextStep` of the call tells all of them'),
    customerQuestions: z
      .array(
        z
          .object({
            words,
            answered: z.boolean().nullable().describe('null when that is not certain'),
            answer: words,
          })
          .strict(),
      )
      .describe('Questions of substance by the customer, in the order of the call'),
  })
  .strict()
  .meta({ id: 'CallEvidence', description: 'The words of the call that a report rests on' });

/** The answers of a report that a person may correct, with what they may be. Empty: there is none. */
export const CORRECTED_VALUES = {
  saleStatus: z.enum(SALE_STATUSES),
  product: z.string().trim().max(200),
  nextStep: z.string().trim().max(1_000),
  objections: z.array(z.string().max(2_000)).max(200),
  managerMistakes: z.array(z.string().max(2_000)).max(200),
} as const;
export const CORRECTED_FIELDS = Object.keys(CORRECTED_VALUES) as (keyof typeof CORRECTED_VALUES)[];
const answer = z.union([z.string(), z.array(z.string())]);

export const CorrectedAnswer = z
  .object({
    value: answer
      .nullable()
      .describe(
        'The right answer: for `saleStatus`, `product` and `nextStep` a text, empty when there is none; for `objections` ' +
          'and `managerMistakes` those of the report that are right. null takes the correction back',
      ),
  })
  .strict()
  .meta({ id: 'CorrectedAnswer', description: 'What a person says of an answer' });

export const CallCorrections = z
  .object({
    callId,
    corrections: z.array(
      z
        .object({
          field: z.enum(CORRECTED_FIELDS),
          value: answer,
          engine: answer.describe('The answer of the engine; the same as `value` when the person confirmed it'),
          by: z.string().describe('Name of the user or of the API key'),
          at: z.iso.datetime(),
        })
        .strict(),
    ),
  })
  .strict()
  .meta({ id: 'CallCorrections', description: 'What people say of the answers of a report' });

export const NewAnalysis = z
  .object({ reportType: z.enum(REPORT_TYPES).optional().describe('Left out: the one that the call has') })
  .strict()
  .meta({ id: 'NewAnalysis', description: 'How a call is analyzed again' });

export const CallAnalyses = z
  .object({
    callId,
    analyses: z
      .array(
        z
          .object({
            at: z.iso.datetime().describe('When it was made'),
            reportType: z.enum(REPORT_TYPES),
            engine: z.string().describe('Name and model of the engine'),
            product: z.string().describe('Empty when none is named'),
            saleStatus: z.enum(SALE_STATUSES),
            score: z.number().nullable(),
          })
          .strict(),
      )
      .describe('As the engine made them, newest first: that of the report, then the latest 20 that were replaced'),
  })
  .strict()
  .meta({ id: 'CallAnalyses', description: 'The analyses of a call' });

const number = (what: string) => z.number().nullable().describe(what);
export const CallMetrics = z
  .object({
    callId,
    seconds: number('Length of the recording'),
    silenceSeconds: number('Time in which nobody speaks'),
    words: number('Words of all speakers'),
    turns: number('Changes of the speaker, and the first turn'),
    managerTalkPercent: number("The manager's share of the speech of manager and customer"),
    longestMonologueSeconds: number('Longest stretch of the manager; short listening words do not end it'),
    interruptions: number('How often the manager cut the customer off'),
    managerQuestions: number('Questions of the manager'),
    customerQuestions: number('Questions of the customer'),
    managerWordsPerMinute: number('How fast the manager speaks'),
    customerWordsPerMinute: number('How fast the customer speaks'),
  })
  .strict()
  .meta({ id: 'CallMetrics', description: 'The numbers of a call' });

export type CallTranscript = z.infer<typeof CallTranscript>;
export type CallSpeakers = z.infer<typeof CallSpeakers>;
export type CallEvidence = z.infer<typeof CallEvidence>;
export type CorrectedAnswer = z.infer<typeof CorrectedAnswer>;
export type CallCorrections = z.infer<typeof CallCorrections>;
export type NewAnalysis = z.infer<typeof NewAnalysis>;
export type CallAnalyses = z.infer<typeof CallAnalyses>;
export type CallMetrics = z.infer<typeof CallMetrics>;
