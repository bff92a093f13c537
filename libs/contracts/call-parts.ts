import { z } from 'zod';
import { ANALYSIS_ENGINES, CALL_STATUSES, REPORT_TYPES, SALE_STATUSES, SPEAKER_ROLES } from './values.ts';

// What is at an address of its own below a call.

const language = z.string().describe('BCP 47 language of the call; `und` when not known');
const callId = z.string().describe('Call identifier');
const seconds = z.number().min(0).describe('Seconds from the start of the recording');

export const CallTranscript = z
  .strictObject({
    callId,
    status: z.enum(CALL_STATUSES),
    language,
    seconds: z.number().min(0).describe('Length of the recording'),
    turns: z
      .array(
        z.strictObject({
          start: seconds,
          end: seconds,
          speaker: z.string().describe('`Manager`, `Customer` or `Speaker N`; until the call is completed `Speaker N`'),
          role: z.enum(SPEAKER_ROLES).nullable().describe('Null until the call is completed'),
          confidence: z
            .number()
            .min(0)
            .max(1)
            .nullable()
            .describe('How certain the roles of the call are; null until the call is completed'),
          language: z.string().describe('BCP 47; `und` when not known'),
          text: z.string(),
          words: z
            .array(z.strictObject({ text: z.string(), start: seconds, end: seconds }))
            .optional()
            .describe('The words of the text in order; left out where the engine does not give their times'),
          misheard: z
            .array(
              z.strictObject({
                at: z.int().min(0).describe('Offset of the term in `text`, in UTF-16 code units'),
                heard: z.string().describe('What the speech engine wrote'),
                term: z.string().describe('The term of the vocabulary that the text has instead'),
              }),
            )
            .optional()
            .describe('Terms of the vocabulary that were misheard; left out when there are none'),
        }),
      )
      .describe('In order of time. Empty until the recording is transcribed, and without speech'),
    unheard: z
      .array(
        z.strictObject({
          start: seconds,
          end: seconds,
          reason: z.string().describe('Such as `silence`, or why the answer of the engine was dropped'),
        }),
      )
      .describe('What is not in the turns, and why'),
  })
  .meta({ id: 'CallTranscript', description: 'Who said what and when' });

const speaker = z.int().min(1).describe('Number of the speaker, from 1');
const role = z.enum(SPEAKER_ROLES).describe('`manager` sells or speaks for the company; `other` is neither');

export const CallSpeakers = z
  .strictObject({
    callId,
    confidence: z.number().min(0).max(1).describe('How certain the roles are; 1 when a person has said them'),
    speakers: z.array(
      z.strictObject({
        speaker,
        role,
        words: z.int().min(0),
        firstWords: z.string().describe('The first words of the speaker, to recognize them by'),
      }),
    ),
  })
  .meta({ id: 'CallSpeakers', description: 'Who is who in a call' });

export const SpeakerRoles = z
  .strictObject({ speakers: z.array(z.strictObject({ speaker, role })).min(1).max(100) })
  .meta({ id: 'SpeakerRoles', description: 'The role of each speaker of a call' });

const words = z
  .strictObject({
    quote: z.string().describe('Copied from the line'),
    line: z.int().min(0).describe('Index of the line in `transcript`, from 0'),
    start: seconds,
    speaker: z.string().describe('`Manager`, `Customer` or `Speaker N`'),
  })
  .nullable()
  .describe('The words of the call that show it; null when none do');
const findings = z.array(
  z.strictObject({
    text: z.string().describe('As in the report'),
    kind: z.string().nullable().describe('The kind of an objection or a mistake'),
    words,
  }),
);

export const CallEvidence = z
  .strictObject({
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
        z.strictObject({
          what: z.string().describe('The part of the words that proposes it, or what it is'),
          when: z.string().nullable().describe('In the words of the call; null without a time'),
          day: z.iso.date().nullable().describe('null where the words and the date of the call do not determine it'),
          who: z
            .enum(['manager', 'customer', 'both'])
            .nullable()
            .describe('Who does it; null when that is not certain'),
          words,
        }),
      )
      .describe('The action items: what was agreed to happen after the call. `nextStep` of the call sums them up'),
    customerQuestions: z
      .array(
        z.strictObject({
          words,
          answered: z.boolean().nullable().describe('null when that is not certain'),
          answer: words,
        }),
      )
      .describe('Questions of substance by the customer, in the order of the call'),
  })
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
  .strictObject({
    value: answer
      .nullable()
      .describe(
        'The right answer: for `saleStatus`, `product` and `nextStep` a text, empty when there is none; for `objections` ' +
          'and `managerMistakes` those of the report that are right. null takes the correction back',
      ),
  })
  .meta({ id: 'CorrectedAnswer', description: 'What a person says of an answer' });

export const CallCorrections = z
  .strictObject({
    callId,
    corrections: z.array(
      z.strictObject({
        field: z.enum(CORRECTED_FIELDS),
        value: answer,
        engine: answer.describe('The answer of the engine; the same as `value` when the person confirmed it'),
        by: z.string().describe('Name of the user or of the API key'),
        at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'CallCorrections', description: 'What people say of the answers of a report' });

const engine = z.enum(ANALYSIS_ENGINES);
export const NewAnalysis = z
  .strictObject({
    reportType: z.enum(REPORT_TYPES).optional().describe('When left out, the call keeps its report type'),
    engine: engine.optional().describe('One of `engines` in the list of analyses. Left out: the first of them'),
  })
  .meta({ id: 'NewAnalysis', description: 'How a call is analyzed again' });

export const CallAnalyses = z
  .strictObject({
    callId,
    engines: z
      .array(engine)
      .describe('The engines that a new analysis may name, the usual one first. Empty: leave `engine` out'),
    analyses: z
      .array(
        z.strictObject({
          at: z.iso.datetime().describe('When it was made'),
          reportType: z.enum(REPORT_TYPES),
          engine: z.string().describe('Name and model of the engine'),
          scorecardVersion: z
            .int()
            .min(0)
            .nullable()
            .describe('Version of the scorecard that judged the call; 0: the default rubric. Null in older analyses'),
          dollars: z
            .number()
            .min(0)
            .nullable()
            .describe(
              'What it has cost by list prices, with failed attempts before it, in US dollars. Null when that is not known',
            ),
          product: z.string().describe('Empty when none is named'),
          saleStatus: z.enum(SALE_STATUSES),
          score: z.number().nullable(),
        }),
      )
      .describe('As the engine made them, newest first: that of the report, then the latest 20 that were replaced'),
  })
  .meta({ id: 'CallAnalyses', description: 'The analyses of a call' });

const number = (what: string) => z.number().nullable().describe(what);
export const CallMetrics = z
  .strictObject({
    callId,
    seconds: number('Length of the recording'),
    silenceSeconds: number('Time without speech'),
    words: number('Words of all speakers'),
    turns: number('Turns: the speaker changes, and the first turn'),
    managerTalkPercent: number("The manager's share of the speech of manager and customer"),
    longestMonologueSeconds: number('Longest stretch of the manager; short listening words do not end it'),
    interruptions: number('How often the manager interrupted the customer'),
    managerQuestions: number('Questions of the manager; null where the transcript has no question marks'),
    customerQuestions: number('Questions of the customer; null where the transcript has no question marks'),
    managerWordsPerMinute: number('How fast the manager speaks'),
    customerWordsPerMinute: number('How fast the customer speaks'),
  })
  .meta({ id: 'CallMetrics', description: 'The numbers of a call' });

export type CallTranscript = z.infer<typeof CallTranscript>;
export type CallSpeakers = z.infer<typeof CallSpeakers>;
export type CallEvidence = z.infer<typeof CallEvidence>;
export type CorrectedAnswer = z.infer<typeof CorrectedAnswer>;
export type CallCorrections = z.infer<typeof CallCorrections>;
export type NewAnalysis = z.infer<typeof NewAnalysis>;
export type CallAnalyses = z.infer<typeof CallAnalyses>;
export type CallMetrics = z.infer<typeof CallMetrics>;
