import { z } from 'zod';
import { CALL_STATUSES, KEY_SCOPES, REPORT_TYPES, SALE_STATUSES, STAGES, WAITS } from './values.ts';

// The HTTP shapes. These schemas validate requests, type the responses and generate the OpenAPI document.

const timestamp = z.iso.datetime().describe('ISO 8601, UTC');
const callId = z.string().describe('Call identifier');
const score = z
  .int()
  .min(0)
  .max(100)
  .nullable()
  .describe('Score of the call, 0 to 100. Null without a score: `GET /api/v1/calls/{id}/scorecard` has the reason');
const language = z.string().describe('BCP 47 language of the call; `und` when not known');
const product = z.string().describe('Product discussed; empty when not known');
const saleStatus = z
  .enum(SALE_STATUSES)
  .describe('Outcome of the sale; `unclear` when not known, and for calls without a score');

/** A number in a query, with one rule for everything that can be wrong with it. */
function wholeNumber(min: number, max: number) {
  const isInRange = (text: string) => /^-?\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max;
  return z
    .string()
    .refine(isInRange, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

export function callsLimit(usual: number) {
  return wholeNumber(1, 100).default(usual).describe('Maximum number of calls');
}

/** The query of GET /calls. */
export const CallsQuery = z.strictObject({
  limit: callsLimit(50),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).describe('Number of calls to skip'),
  status: z.enum(CALL_STATUSES).optional().describe('Only calls with this status'),
});

export const ReportSection = z
  .strictObject({ id: z.string(), title: z.string(), content: z.string(), points: z.array(z.string()) })
  .meta({ id: 'ReportSection', description: 'One section of the report' });

export const CallListItem = z
  .strictObject({
    id: callId,
    fileName: z.string().describe('Name of the uploaded file'),
    status: z.enum(CALL_STATUSES),
    reportType: z.enum(REPORT_TYPES),
    language,
    product,
    saleStatus,
    score,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'CallListItem', description: 'A call in the list' });

export const CallDetail = z
  .strictObject({
    id: callId,
    fileName: z.string().describe('Name of the uploaded file'),
    status: z.enum(CALL_STATUSES),
    language,
    product,
    saleStatus,
    score,
    createdAt: timestamp,
    summary: z.string().describe('Summary of the call; empty until the call is completed'),
    customerIntent: z.string().describe('What the customer wanted; empty when not known'),
    nextStep: z.string().describe('Agreed next step; empty when none was agreed or found'),
    issues: z.array(z.string()),
    positives: z.array(z.string()),
    recommendations: z.array(z.string()),
    objections: z.array(z.string()),
    managerMistakes: z.array(z.string()),
    detailedReport: z.array(ReportSection),
    transcript: z
      .string()
      .describe('Lines "Manager: …" and "Customer: …"; a third speaker is "Speaker 3: …". Empty when there is none'),
    errorMessage: z.string().optional().describe('Why the call failed and what to do; only on a failed call'),
    errorCode: z.string().optional().describe('Stable machine code of the failure; only on a failed call'),
    retryable: z
      .boolean()
      .optional()
      .describe('Whether it can be retried: a recording with sound or a transcript is kept; only on a failed call'),
  })
  .meta({ id: 'CallDetail', description: 'One call with its report' });

export const Progress = z
  .strictObject({
    status: z.enum(CALL_STATUSES),
    stage: z
      .enum(STAGES)
      .nullable()
      .describe('The stage that the call waits for or is in; null when it is completed or failed'),
    waitingFor: z
      .strictObject({
        code: z.enum(WAITS),
        message: z.string().describe('What the call waits for, as a sentence'),
        since: timestamp,
      })
      .nullable()
      .describe(
        'A part of the service that is unavailable, or the next day (UTC) when the spending limit is reached; the ' +
          'call goes on by itself',
      ),
    seconds: z.number().min(0).describe('Length of the recording; estimated from its size until it is decoded'),
    secondsDone: z.number().min(0).describe('How much of it is transcribed'),
    queue: z
      .strictObject({
        position: z
          .int()
          .min(1)
          .max(1002)
          .describe('1 is next. Counts the calls of the account that wait for the same stage; 1002 means beyond 1001'),
        startsInSeconds: z
          .int()
          .min(0)
          .nullable()
          .describe(
            'Estimated time until work on the call starts, from the pace at which calls of the account have ended in ' +
              'the last 15 minutes while it had a queue; null when that is not known',
          ),
      })
      .nullable()
      .describe('Null when the call is being worked on, waits for something else, or is finished'),
    updatedAt: timestamp.describe('When `status` or `secondsDone` last changed'),
  })
  .meta({ id: 'Progress', description: 'What a call waits for, or which stage it is in' });

export const UploadAccepted = z
  .strictObject({
    id: callId,
    status: z.enum(CALL_STATUSES).describe('`queued`; in the answer to a repeated upload, the status of the call now'),
    pollUrl: z.string().describe('Path of the call; poll it until `status` is `completed` or `failed`'),
  })
  .meta({ id: 'UploadAccepted', description: 'The recording is stored and queued' });

export const CallList = z
  .strictObject({ calls: z.array(CallListItem), total: z.int().min(0), limit: z.int(), offset: z.int() })
  .meta({ id: 'CallList', description: 'A page of calls, newest first' });

export const Me = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: timestamp,
    key: z
      .strictObject({
        id: z.string(),
        name: z.string(),
        prefix: z.string(),
        scope: z.enum(KEY_SCOPES).describe('What the key may do; write includes read'),
        createdAt: timestamp,
        expiresAt: timestamp.nullable().describe('null: the key does not expire'),
        lastUsedAt: timestamp.nullable(),
      })
      .nullable()
      .describe('The API key of this request, without its secret; null in a session of the web application'),
  })
  .meta({ id: 'Me', description: 'The account the API key belongs to' });

/** RFC 9457. `code` is stable and for machines, `detail` says what to do. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    requestId: z.string(),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457)' });

export type CallListItem = z.infer<typeof CallListItem>;
export type CallDetail = z.infer<typeof CallDetail>;
export type CallList = z.infer<typeof CallList>;
export type Progress = z.infer<typeof Progress>;
export type UploadAccepted = z.infer<typeof UploadAccepted>;
export type Me = z.infer<typeof Me>;
export type Problem = z.infer<typeof Problem>;
export type ReportSection = z.infer<typeof ReportSection>;
