import { z } from 'zod';
import { CallEvidence } from './call-parts.ts';
import { CallDetail } from './http.ts';
import { TRACKER_SPEAKERS, visible } from './trackers.ts';
import { CALL_KINDS, CALL_STATUSES, NOT_SCORED_CODES, SCORECARD_CHECKS, type ScorecardCheck } from './values.ts';

// The questions by which calls are judged: an account's own, or those of the default rubric.

export const SCORECARD_LIMITS = { questions: 30, shortest: 2, longest: 200, weight: 100 };

export const SCORECARD_ANSWERS = ['yes', 'no', 'not_applicable', 'not_judged'] as const;
export type ScorecardAnswer = (typeof SCORECARD_ANSWERS)[number];

const version = z.int().min(0);
const question = z
  .string()
  .trim()
  .min(SCORECARD_LIMITS.shortest)
  .max(SCORECARD_LIMITS.longest)
  .refine(visible, { error: 'must not have control or invisible characters' })
  .describe('A question that "yes" or "no" answers. Differs from the others; case does not count');
const who = z.enum(TRACKER_SPEAKERS).describe('Whose words answer it');
const weight = z.int().min(1).max(SCORECARD_LIMITS.weight).describe('Points for a yes');
const check = z.enum(Object.keys(SCORECARD_CHECKS) as [ScorecardCheck, ...ScorecardCheck[]]);

const checkList = Object.entries(SCORECARD_CHECKS)
  .map(([id, { question: text, who: speaker }]) => `- \`${id}\` (\`${speaker}\`): ${text}`)
  .join('\n');

export const ScorecardQuestion = z
  .strictObject({
    question,
    who,
    weight,
    autoFail: z.boolean().optional().describe('Whether a no makes the score 0; false when missing'),
    check: check
      .optional()
      .describe(`One of the questions that each engine answers. Send its text and speaker with it:\n\n${checkList}`),
  })
  .refine((asked) => asked.check === undefined || SCORECARD_CHECKS[asked.check].question === asked.question, {
    path: ['question'],
    error: 'must be the question of its check',
  })
  .refine((asked) => asked.check === undefined || SCORECARD_CHECKS[asked.check].who === asked.who, {
    path: ['who'],
    error: 'must be that of its check',
  })
  .meta({ id: 'ScorecardQuestion', description: 'A question of a scorecard' });

/** In a request the version is that which was edited. */
export const AccountScorecard = z
  .strictObject({
    version: version.describe(
      'Counts the changes; 0 before the first one. A call keeps the version that it was judged by',
    ),
    questions: z
      .array(ScorecardQuestion)
      .max(SCORECARD_LIMITS.questions)
      .refine((all) => new Set(all.map((each) => each.question.toLowerCase())).size === all.length, {
        error: 'must not have the same question twice',
      })
      .describe('Empty: calls are judged by the default rubric'),
  })
  .meta({ id: 'AccountScorecard', description: 'The questions by which the calls of the account are judged' });

const points = z.int().min(0);
export const Scorecard = z
  .strictObject({
    callId: z.string().describe('Call identifier'),
    status: z.enum(CALL_STATUSES),
    callKind: z.enum(CALL_KINDS).nullable().describe('Kind of conversation; null when not known'),
    callKindQuote: z.string().describe('Words of the call that show its kind; empty when not known'),
    score: CallDetail.shape.score,
    notScored: z
      .strictObject({
        code: z.enum(NOT_SCORED_CODES),
        message: z.string().describe('Why the call has no score and what to do'),
      })
      .nullable()
      .describe('Null exactly when there is a score'),
    rolesConfidence: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('How certain the roles are, 0 to 1; null until the call is completed'),
    version: version
      .nullable()
      .describe("Version of the account's scorecard; 0: the default rubric. Null until the call is completed"),
    questions: z
      .array(
        z.strictObject({
          question: z.string(),
          who,
          weight,
          autoFail: z.boolean(),
          check: z.string().nullable().describe('Null for a question in words of the account'),
          answer: z
            .enum(SCORECARD_ANSWERS)
            .describe(
              '`not_judged`: no words of the call prove an answer, or the engine does not answer the question. A ' +
                '`no` without words: nothing in the call is a yes',
            ),
          words: CallEvidence.shape.product,
          points,
          of: points.describe('0: it does not count'),
        }),
      )
      .describe(
        'The score is the sum of the points in percent of the sum of `of`, unless `failedBy` is set. Empty for calls ' +
          'that the default rubric does not score, and for those that an earlier release analyzed',
      ),
    failedBy: z
      .string()
      .nullable()
      .describe('The question with an auto-fail whose answer is no: the score is 0. Null when there is none'),
    criteria: z
      .array(
        z.strictObject({
          id: z.string(),
          title: z.string(),
          points,
          of: points,
          why: z.string().describe('Reason for the points'),
        }),
      )
      .describe(
        'The points of the default rubric by criterion. 0 of 0: not counted. Empty without a score, and with a custom scorecard',
      ),
  })
  .meta({ id: 'Scorecard', description: 'How the score was computed, or why there is none' });

export type ScorecardQuestion = z.infer<typeof ScorecardQuestion>;
export type AccountScorecard = z.infer<typeof AccountScorecard>;
export type Scorecard = z.infer<typeof Scorecard>;
